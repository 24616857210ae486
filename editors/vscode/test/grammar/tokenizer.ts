// Tokenises text with the assembly grammar as VS Code does: with vscode-textmate, over Oniguruma.
import { readFileSync } from 'node:fs';
import { createOnigScanner, createOnigString, loadWASM } from 'vscode-oniguruma';
import { INITIAL, Registry, type IGrammar } from 'vscode-textmate';

export interface Token {
  /** UTF-16 units of the line, half-open. */
  begin: number;
  end: number;
  text: string;
  /** Without the grammar's own name, which all have: the outermost scope first. */
  scopes: string[];
}

const suffix = '.mca-assembly';

/** The grammar, loaded from the folder of the extension, which is the current one. */
export async function loadGrammar(): Promise<IGrammar> {
  await loadWASM(readFileSync('node_modules/vscode-oniguruma/release/onig.wasm'));
  const file = 'syntaxes/assembly.tmLanguage.json';
  const registry = new Registry({
    onigLib: Promise.resolve({ createOnigScanner, createOnigString }),
    loadGrammar: () => Promise.resolve(JSON.parse(readFileSync(file, 'utf8'))),
  });
  const grammar = await registry.loadGrammar(`source${suffix}`);
  if (!grammar)
    throw new Error(`${file} has no grammar`);
  return grammar;
}

/** The tokens of each line; scopes lose the ending that all of them share. */
export function tokenise(grammar: IGrammar, text: string): Token[][] {
  let stack = INITIAL;
  return text.split('\n').map((line) => {
    const result = grammar.tokenizeLine(line, stack);
    stack = result.ruleStack;
    return result.tokens
      .filter(({ startIndex }) => startIndex < line.length)
      .map(({ startIndex, endIndex, scopes }) => ({
        begin: startIndex,
        end: Math.min(endIndex, line.length),
        text: line.slice(startIndex, endIndex),
        scopes: scopes.slice(1).map((scope) => scope.replace(suffix, '')),
      }));
  });
}
