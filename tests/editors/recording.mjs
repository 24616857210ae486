// What an editor and the server say to each other: a program in the server's place that writes both sides to files.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Files of a home folder: `bin/mca-lsp` comes before the real one in PATH. */
export const recorder = {
  'bin/mca-lsp': '#!/bin/sh\ntee -a "$HOME/asked" | /opt/mca-lsp/bin/mca-lsp "$@" | tee -a "$HOME/answered"\n',
};

/** The whole messages of a file so far. */
function messagesOf(file) {
  if (!existsSync(file)) return [];
  const bytes = readFileSync(file);
  const messages = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf('\r\n\r\n', at);
    if (end < 0) return messages;
    const [, length] = /Content-Length: (\d+)/i.exec(bytes.toString('latin1', at, end));
    at = end + 4 + Number(length);
    if (at > bytes.length) return messages;
    messages.push(JSON.parse(bytes.toString('utf8', end + 4, at)));
  }
}

/** The results of the editor's requests of that method, in their order; undefined for one that is not answered. */
export function resultsOf(home, method) {
  const answers = messagesOf(path.join(home.outside, 'answered'));
  return messagesOf(path.join(home.outside, 'asked'))
    .filter((message) => message.method === method)
    .map((request) => answers.find((answer) => answer.id === request.id && 'result' in answer)?.result);
}

/** The parameters of the last notification of that method that the server sent. */
export function lastNotification(home, method) {
  return messagesOf(path.join(home.outside, 'answered')).findLast((message) => message.method === method)?.params;
}
