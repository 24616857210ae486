// The language of assembly files where no other extension has one.
//
// Of two extensions that name a suffix, VS Code gives the file to the one whose folder's name sorts last. So this one
// names none in package.json, only a pattern for the first line, which VS Code reads when no suffix is known, and
// takes what VS Code opens as plain text. Its language has a separate id: the colours of an id come from one grammar,
// and other extensions use "assembly".
import * as vscode from 'vscode';

/** This extension's own language, whose grammar is syntaxes/assembly.tmLanguage.json. */
export const ownLanguage = 'mca-assembly';

/** The ids that assembly extensions use. The server knows the same ones. */
export const assemblyIds = [
  ownLanguage, 'assembly', 'asm', 'asm-collection', 'asm-intel-x86-generic', 'assembler', 'gas', 'gnuas', 'gas-asm', 'x86asm',
  'x86_64', 'arm', 'arm64', 'aarch64', 'riscv', 'riscv64', 'mips', 'ppcasm',
];

const analysedIds = new Set([...assemblyIds, 'c', 'cpp']);
const assemblySuffix = /\.(s|S|sx|asm)$/;

/** Whether the server has something to say about it. */
export function isAnalysed(document: vscode.TextDocument): boolean {
  return analysedIds.has(document.languageId) || assemblySuffix.test(document.uri.path);
}

/** Whether the user's setting files.associations names a language for it. */
function isAssociated(document: vscode.TextDocument): boolean {
  const associations = vscode.workspace.getConfiguration('files', document.uri).get<Record<string, string>>('associations', {});
  return Object.keys(associations).some((glob) =>
    vscode.languages.match({ pattern: glob.includes('/') ? glob : `**/${glob}` }, document) > 0);
}

/** Says of plain text with the suffix of assembly that it is assembly, now and as it is opened. */
export function registerAssemblyLanguage(): vscode.Disposable {
  /** Those that have got another language after they were opened: VS Code closes and opens them without disposing them. */
  const changed = new WeakSet<vscode.TextDocument>();
  const claim = (document: vscode.TextDocument): void => {
    if (document.languageId === 'plaintext' && assemblySuffix.test(document.uri.path) && !changed.has(document) && !isAssociated(document))
      void vscode.languages.setTextDocumentLanguage(document, ownLanguage);
  };
  vscode.workspace.textDocuments.forEach(claim);
  return vscode.Disposable.from(
    vscode.workspace.onDidCloseTextDocument((document) => {
      if (!document.isClosed)
        changed.add(document);
    }),
    vscode.workspace.onDidOpenTextDocument(claim),
  );
}
