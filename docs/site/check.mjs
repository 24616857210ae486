// The built site holds together: each link in it leads to a file and an anchor that are there, each link into the repository
// to something that is in it, and no page loads anything from another host. VitePress itself checks links between pages only.
//
//   node check.mjs SITE
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..');
const site = path.resolve(process.argv[2]);
const ours = /^https:\/\/github\.com\/mca-lsp\/mca-lsp\/(?:blob|tree)\/main\/([^#?]+)/;
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
const inRepository = (name) => `\n${tracked}`.includes(`\n${name}\n`) || `\n${tracked}`.includes(`\n${name}/`);

const decode = (text) => text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
const named = (suffix) => readdirSync(site, { recursive: true }).filter((name) => name.endsWith(suffix));
const read = (name) => readFileSync(path.join(site, name), 'utf8');

/** What `pattern` captures in `text`, decoded. */
const captured = (text, pattern) => [...text.matchAll(pattern)].map((match) => decode(match[1]));

const pages = new Map(named('.html').map((name) => [name, read(name)]));
const anchors = new Map([...pages].map(([name, text]) => [name, new Set(captured(text, /<[^>]*?\sid="([^"]*)"/g))]));
const problems = [];
const counts = { pages: pages.size, links: 0, anchors: 0, repository: 0 };

function checkLink(page, href) {
  const address = new URL(href, `http://site/${page}`);
  const [, name] = ours.exec(address.href) ?? [];
  if (name) {
    ++counts.repository;
    if (!inRepository(decodeURI(name))) problems.push(`${page}: ${href} is not in the repository`);
  }
  if (address.host !== 'site') return;
  ++counts.links;
  const file = decodeURI(address.pathname).slice(1).replace(/(^|\/)$/, '$1index.html');
  if (!existsSync(path.join(site, file))) problems.push(`${page}: ${href} leads nowhere`);
  else if (address.hash) {
    ++counts.anchors;
    if (!anchors.get(file)?.has(decodeURIComponent(address.hash.slice(1)))) problems.push(`${page}: ${href} is no heading`);
  }
}

const foreign = (address) => /^(\w+:)?\/\//.test(address);
for (const [page, text] of pages) {
  const loaded = captured(text, /<(?:link|script|img|iframe|source|video)\b[^>]*?\s(?:href|src|srcset)="([^"]*)"/g);
  for (const address of loaded.filter(foreign)) problems.push(`${page}: loads ${address}`);
  for (const href of [...captured(text, /<a\b[^>]*?\shref="([^"]*)"/g), ...loaded.filter((address) => !foreign(address))])
    checkLink(page, href);
}
for (const sheet of named('.css'))
  for (const address of captured(read(sheet), /(?:url\(|@import)\s*["']?([^"')]*)/g).filter(foreign))
    problems.push(`${sheet}: loads ${address}`);

for (const problem of problems) console.error(problem);
if (!counts.anchors || !counts.repository) problems.push('no links were found');
console.log(Object.entries(counts).map(([what, count]) => `${what}: ${count}`).join(', '));
process.exitCode = problems.length ? 1 : 0;
