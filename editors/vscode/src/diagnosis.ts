// What was found on this machine, as a text for an issue: what the extension knows, and what `mca-lsp --doctor` prints.
// It is for the case that the server does not start, so it says of each program that was tried what became of it.
import { execFile } from 'node:child_process';
import { candidatesOf, findServer, isExecutable, versionOf, type Search } from './serverProgram';

export interface Diagnosis {
  search: Search;
  /** Those of the server. */
  arguments: string[];
  /** The current folder of the program, whose configuration it reports. */
  folder: string;
  /** What the extension knows of the editor: names and values. */
  editor: [string, string][];
}

/** The worker, which is the longest part of it, has a minute. */
const timeoutMs = 90_000;

const row = (name: string, found: string): string => `  ${name.padEnd(20)} ${found}`;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What the program prints; its errors if it prints nothing else. */
function doctorOf(program: string, { arguments: args, folder }: Diagnosis): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, [...args, '--doctor'], { timeout: timeoutMs, cwd: folder }, (error, stdout, stderr) => {
      const failed = `${program} --doctor failed: ${stderr.trim() || error?.message}\n`;
      resolve(stdout.trim() ? stdout : failed);
    });
  });
}

/** Why each program that could be the server is not: of PATH only those that are there. */
async function triedPrograms(search: Search): Promise<string[]> {
  const rows: string[] = [];
  for (const [program, origin] of candidatesOf(search)) {
    const found = await isExecutable(program);
    if (!found && origin === 'PATH')
      continue;
    const state = found ? await versionOf(program).then((version) => `version ${version}`, messageOf) : 'is not there, or no program';
    rows.push(row(origin, `${program}: ${state}`));
  }
  return rows;
}

/** The whole text. Never throws. */
export async function diagnose(diagnosis: Diagnosis): Promise<string> {
  const head = [
    `mca-lsp for VS Code ${diagnosis.search.version}`,
    '',
    'Editor',
    ...diagnosis.editor.map(([name, found]) => row(name, found)),
    row('server arguments', diagnosis.arguments.join(' ') || 'none'),
  ];
  try {
    const server = await findServer(diagnosis.search);
    const report = await doctorOf(server.path, diagnosis);
    return [...head, row('server', `${server.path} (${server.origin}), version ${server.version}`), '', report].join('\n');
  } catch (error) {
    const tried = await triedPrograms(diagnosis.search);
    return [...head, row('server', `none: ${messageOf(error)}`), '', 'Programs that were tried', ...tried, ''].join('\n');
  }
}

/**
 * The folder to run the program in: the first opened one if the user trusts it, else the extension's own. Paths in the
 * server's arguments may be relative to it.
 */
export function folderFor(isTrusted: boolean, opened: string | undefined, extensionFolder: string): string {
  return isTrusted && opened !== undefined ? opened : extensionFolder;
}
