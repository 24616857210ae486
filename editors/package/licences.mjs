// What of others is in a package: the licence of each Debian package that a file or a header was taken from, and a bill
// of materials in the format SPDX 2.3.
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Packages of headers that are compiled into our programs. */
const compiledIn = ['libboost1.81-dev', 'nlohmann-json3-dev', 'libcli11-dev', 'libprotozero-dev'];

/** The packages that `files` of the system are of, and those that are compiled in, by name. */
export function materialsOf(files, system) {
  const describe = (name, how) => ({ name, how, ...system.describe(name) });
  const carried = [...new Set(files.map(system.packageOf))].map((name) => describe(name, 'CONTAINS'));
  const linked = compiledIn.map((name) => describe(name, 'STATIC_LINK'));
  return [...carried, ...linked].sort((a, b) => (a.name < b.name ? -1 : 1));
}

const id = (name) => `SPDXRef-${name.replace(/[^A-Za-z0-9.-]/g, '-')}`;
const unknown = { downloadLocation: 'NOASSERTION', filesAnalyzed: false, copyrightText: 'NOASSERTION' };

function billOf({ name, version, target, epoch }, materials) {
  const packages = materials.map((material) => ({
    ...unknown,
    name: material.name,
    SPDXID: id(material.name),
    versionInfo: material.version,
    supplier: 'Organization: Debian',
    licenseConcluded: 'NOASSERTION',
    licenseDeclared: 'NOASSERTION',
    comment: `licences/${material.name}`,
    externalRefs: [{
      referenceCategory: 'PACKAGE-MANAGER',
      referenceType: 'purl',
      referenceLocator: `pkg:deb/debian/${material.name}@${encodeURIComponent(material.version)}?arch=${material.architecture}`,
    }],
  }));
  const own = { ...unknown, name, SPDXID: id(name), versionInfo: version, supplier: 'NOASSERTION',
    licenseConcluded: 'Apache-2.0', licenseDeclared: 'Apache-2.0', comment: 'LICENSE' };
  return {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: `${name}-${version}-${target}`,
    documentNamespace: `https://github.com/mca-lsp/mca-lsp/spdx/${name}-${version}-${target}-${epoch}`,
    creationInfo: { created: new Date(epoch * 1000).toISOString().replace('.000', ''), creators: ['Tool: mca-lsp-package'] },
    packages: [own, ...packages],
    relationships: [
      { spdxElementId: 'SPDXRef-DOCUMENT', relationshipType: 'DESCRIBES', relatedSpdxElement: id(name) },
      ...materials.map((material) => ({ spdxElementId: id(name), relationshipType: material.how, relatedSpdxElement: id(material.name) })),
    ],
  };
}

/** Writes licences/PACKAGE for each of `materials`, and sbom.spdx.json, into the folder `to`. */
export function writeLicences(product, materials, system, to) {
  mkdirSync(path.join(to, 'licences'), { recursive: true });
  for (const { name } of materials) {
    const licence = system.licenceOf(name);
    if (!existsSync(licence))
      throw new Error(`${licence} is not there; the package needs it`);
    copyFileSync(licence, path.join(to, 'licences', name));
  }
  writeFileSync(path.join(to, 'sbom.spdx.json'), `${JSON.stringify(billOf(product, materials), null, 2)}\n`);
}
