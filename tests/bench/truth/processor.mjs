// Which CPU this is.
import fs from 'node:fs';

/** The fields of the first processor in the text of /proc/cpuinfo. */
export function readProcessor(text) {
  const field = (name) => new RegExp(`^${name}\\s*: (.*)$`, 'm').exec(text)?.[1] ?? 'unknown';
  return {
    brand: field('model name'),
    vendor: field('vendor_id'),
    family: field('cpu family'),
    model: field('model'),
    stepping: field('stepping'),
    microcode: field('microcode'),
  };
}

export const thisProcessor = () => readProcessor(fs.readFileSync('/proc/cpuinfo', 'utf8'));

export const processorText = ({ brand, vendor, family, model, stepping, microcode }) =>
  `${brand} (${vendor}, family ${family}, model ${model}, stepping ${stepping}, microcode ${microcode})`;
