// How VitePress makes the site of the repository's pages as they are. Addresses in the site are paths in the repository, and
// anchors are those that the forge makes, so that a link means the same in both. A link to something that is no page leads
// to the repository.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { contents, pagesOf } from '../contents.mjs';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const repository = 'https://github.com/mca-lsp/mca-lsp';
const pages = new Set(pagesOf(root));
const git = (...options) => execFileSync('git', options, { cwd: root, encoding: 'utf8' }).trim().split('\n');
const files = new Set(git('ls-files', '--cached', '--others', '--exclude-standard'));
const folders = new Set([...files].flatMap((file) => [...file.matchAll(/\//g)].map(({ index }) => file.slice(0, index))));

const withIndex = (page) => page.replace(/README\.md$/, 'index.md');

/** The address of what `page` links to by `href`, a path from its folder. */
function addressOf(page, href) {
  const [link, anchor = ''] = href.split(/(?=#)/);
  const target = path.posix.join(path.posix.dirname(page), decodeURI(link)).replace(/\/$/, '');
  if (pages.has(target)) return `/${withIndex(target)}${anchor}`;
  if (files.has(target)) return `${repository}/blob/main/${target}${anchor}`;
  if (folders.has(target)) return `${repository}/tree/main/${target}`;
  throw new Error(`${page}: a link to ${href}, which is not in the repository`);
}

function linkToRepository(md) {
  md.core.ruler.after('inline', 'repository_links', ({ tokens, env }) => {
    for (const link of tokens.flatMap((token) => token.children ?? []).filter((token) => token.type === 'link_open')) {
      const href = link.attrGet('href');
      if (!/^(#|\w+:)/.test(href)) link.attrSet('href', addressOf(env.relativePath, href));
    }
  });
}

/** Braces in text and in code are text, not an expression of Vue. */
function showBraces({ renderer: { rules } }) {
  for (const rule of ['text', 'code_inline']) {
    const render = rules[rule];
    rules[rule] = (...options) => render(...options).replaceAll('{{', '&#123;&#123;');
  }
}

/** Colours do not depend on how fast the machine is: by default, the rest of a line that takes 0.5 s has none. */
const colourAllOfIt = {
  preprocess(_, options) {
    options.tokenizeTimeLimit = 0;
  },
};

/** The forge's anchor of a heading. */
const slugify = (heading) => heading.trim().toLowerCase().replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '').replaceAll(' ', '-');

/** The pages lie above the folder with node_modules, so what they import is left to Node, which resolves it from here. */
const vueOfTheSite = {
  name: 'vue-of-the-site',
  resolveId: (id, _, { ssr }) => (ssr && /^vue(\/server-renderer)?$/.test(id) ? { id, external: true } : null),
};

const linkOf = ({ title, page }) => ({ text: title, link: `/${withIndex(page)}` });
const sidebar = contents(root).map(({ title, entries }) => ({
  text: title,
  items: entries.map((entry) => ({
    ...linkOf(entry),
    ...(entry.children.length ? { collapsed: true, items: entry.children.map(linkOf) } : {}),
  })),
}));

export default defineConfig({
  title: 'mca-lsp',
  description: 'How fast a loop runs on a CPU, and what holds it back, inside the editor',
  lang: 'en',
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  srcDir: root,
  srcExclude: ['!(docs)/**/*', 'docs/site/**'],
  rewrites: withIndex,
  outDir: path.join(root, 'build/docs/site'),
  cacheDir: path.join(root, 'build/docs/cache'),
  buildConcurrency: 1, // the search index lists the pages in the order in which they come
  vite: { plugins: [vueOfTheSite] },
  markdown: {
    html: false,
    attrs: { disable: true },
    anchor: { slugify },
    codeTransformers: [colourAllOfIt],
    languageAlias: { ninja: 'make' },
    config: (md) => [linkToRepository, showBraces].forEach((rule) => rule(md)),
  },
  themeConfig: {
    sidebar,
    nav: [{ text: 'All pages', link: '/docs/' }],
    outline: [2, 3],
    search: { provider: 'local' },
    socialLinks: [{ icon: 'github', link: repository }],
  },
});
