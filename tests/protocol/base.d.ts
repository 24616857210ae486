// Notifications of the base protocol (LSP 3.17, Cancellation Support and Progress Support). Microsoft's library handles
// them itself and exports no type of them.
import { ProgressToken } from 'vscode-jsonrpc';
import { integer, LSPAny } from 'vscode-languageserver-types';

export interface CancelParams {
  /** The request to cancel. */
  id: integer | string;
}

export interface ProgressParams {
  token: ProgressToken;
  value: LSPAny;
}
