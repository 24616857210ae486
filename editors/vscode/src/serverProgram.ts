// Finds the language server: the user's setting, the one in this package, then PATH.
import { execFile } from 'node:child_process';
import { constants, promises as fs } from 'node:fs';
import * as path from 'node:path';

export interface ServerProgram {
  path: string;
  /** For the reader: "the setting mca.server.path", "this extension", "PATH". */
  origin: string;
  version: string;
}

export interface Search {
  /** The setting; empty when it is not set. */
  configured: string;
  /** The folder of the extension. */
  extensionFolder: string;
  /** The version that the extension was made for. */
  version: string;
  environmentPath: string;
}

const versionTimeoutMs = 10_000;

export async function isExecutable(file: string): Promise<boolean> {
  try {
    await fs.access(file, constants.X_OK);
    return (await fs.stat(file)).isFile();
  } catch {
    return false;
  }
}

/** The version that `mca-lsp --version` prints; throws with the reason, and the first line of its errors, when it prints none. */
export function versionOf(program: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, ['--version'], { timeout: versionTimeoutMs, cwd: path.dirname(program) }, (error, stdout) => {
      const version = /^mca-lsp (\d+\.\d+\.\d+\S*)/.exec(stdout ?? '')?.[1];
      if (version)
        resolve(version);
      else
        reject(new Error(error ? error.message.trim().split('\n').slice(0, 2).join(': ') : `${program} --version printed no version of mca-lsp`));
    });
  });
}

/** Versions of one minor release work together. */
export function isCompatible(server: string, extension: string): boolean {
  const minor = (version: string): string => version.split('.').slice(0, 2).join('.');
  return minor(server) === minor(extension);
}

/** The programs that may be the server, each with its origin: the first that is there is the one. */
export function candidatesOf(search: Search): [program: string, origin: string][] {
  return search.configured
    ? [[search.configured, 'the setting mca.server.path']]
    : [
        [path.join(search.extensionFolder, 'server', 'bin', 'mca-lsp'), 'this extension'],
        ...search.environmentPath
          .split(path.delimiter)
          .filter((folder) => path.isAbsolute(folder))
          .map((folder): [string, string] => [path.join(folder, 'mca-lsp'), 'PATH']),
      ];
}

/** The first server that is there. Throws with a sentence for the user when there is none that can be used. */
export async function findServer(search: Search): Promise<ServerProgram> {
  for (const [program, origin] of candidatesOf(search)) {
    if (!(await isExecutable(program)))
      continue;
    const version = await versionOf(program);
    if (!isCompatible(version, search.version))
      throw new Error(`${program} (${origin}) is version ${version}, but this extension needs ${search.version}`);
    return { path: program, origin, version };
  }
  throw new Error(
    search.configured
      ? `the setting mca.server.path names ${search.configured}, which is not a program`
      : 'there is no mca-lsp in this extension nor in PATH',
  );
}
