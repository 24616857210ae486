// The order of the pages, which docs/README.md holds for the site as well as for a reader of the repository: its headings
// are groups, and each line of its lists begins with a page. Below a folder's README stand the pages that the lines of its
// own lists and tables begin with.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const table = 'docs/README.md';
const item = /^(?:-|\|) \[([^\]]+)\]\(([\w./-]+\.md)\)/;

const linesOf = (root, page) => readFileSync(path.join(root, page), 'utf8').split('\n');

/** The page that a line of the list in `from` begins with, in an array; an empty one if there is none. */
function entriesIn(line, from) {
  const [, title, link] = item.exec(line) ?? [];
  return link ? [{ title: title.replaceAll('`', ''), page: path.posix.join(path.posix.dirname(from), link) }] : [];
}

/** The pages of the folder whose README `page` is; none of any other page. */
function childrenOf(root, page) {
  const folder = path.posix.dirname(page);
  if (path.posix.basename(page) !== 'README.md' || folder === '.') return [];
  return linesOf(root, page)
    .flatMap((line) => entriesIn(line, page))
    .filter((entry) => path.posix.dirname(entry.page) === folder);
}

function groupsOf(root) {
  const groups = [];
  for (const line of linesOf(root, table)) {
    const [, title] = /^## (.*)/.exec(line) ?? [];
    if (title) groups.push({ title, entries: [] });
    for (const entry of entriesIn(line, table)) groups.at(-1).entries.push({ ...entry, children: childrenOf(root, entry.page) });
  }
  return groups;
}

/** Every page of the repository that is for readers: those of docs and those beside the README. */
export function pagesOf(root) {
  const below = readdirSync(path.join(root, 'docs'), { recursive: true });
  const names = [...readdirSync(root), ...below.map((name) => `docs/${name}`)];
  return names.filter((name) => name.endsWith('.md') && !name.startsWith('docs/site/')).sort();
}

/** The groups of pages in their order. Throws unless each page is listed exactly once. */
export function contents(root) {
  const groups = groupsOf(root);
  const entries = groups.flatMap((group) => group.entries);
  const listed = entries.flatMap((entry) => [entry, ...entry.children]).map(({ page }) => page);
  const pages = pagesOf(root).filter((page) => page !== table);
  const problems = [
    ...pages.filter((page) => !listed.includes(page)).map((page) => `${page} is in no list`),
    ...listed.filter((page) => !pages.includes(page)).map((page) => `${page} is listed and does not exist`),
    ...listed.filter((page, index) => listed.indexOf(page) !== index).map((page) => `${page} is listed twice`),
  ];
  if (problems.length) throw new Error(`${table}, or the README of a folder: ${problems.join('; ')}`);
  return groups;
}
