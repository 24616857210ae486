// Assembly files that no other extension claims get this extension's language; the others keep theirs.
import * as vscode from 'vscode';

/** The ids that assembly extensions use. The server knows the same ones. */
export const assemblyIds = [
  'assembly', 'asm', 'asm-collection', 'asm-intel-x86-generic', 'assembler', 'gas', 'gnuas', 'gas-asm', 'x86asm',
  'x86_64', 'arm', 'arm64', 'aarch64', 'riscv', 'riscv64', 'mips', 'ppcasm',
];

const assemblySuffix = /\.(s|S|asm)$/;

/** Says of plain text with the suffix of assembly that it is assembly, now and as it is opened. */
export function registerAssemblyLanguage(): vscode.Disposable {
  const claim = (document: vscode.TextDocument): void => {
    if (document.languageId === 'plaintext' && assemblySuffix.test(document.uri.path))
      void vscode.languages.setTextDocumentLanguage(document, 'assembly');
  };
  vscode.workspace.textDocuments.forEach(claim);
  return vscode.workspace.onDidOpenTextDocument(claim);
}
