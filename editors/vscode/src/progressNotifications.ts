// The server's progress as notifications with a button that cancels, for what the user has started and can end. The
// language client shows all progress in the status bar, which has no such button.
//
// Without VS Code's own module, so that it is tested without VS Code.
import type { ProgressToken, WorkDoneProgressBegin, WorkDoneProgressEnd, WorkDoneProgressReport } from 'vscode-languageclient';

export interface Bar {
  report(value: { message?: string; increment?: number }): void;
}

export interface Cancellation {
  onCancellationRequested(listener: () => void): unknown;
}

/** Opens a notification that stays until the promise is resolved. */
export type OpenNotification = (title: string, task: (bar: Bar, cancellation: Cancellation) => Promise<void>) => unknown;

class Notification {
  private bar: Bar | undefined;
  private percentage = 0;
  private latest: { message?: string; percentage?: number };
  private finish: () => void = () => undefined;
  private readonly finished = new Promise<void>((resolve) => {
    this.finish = resolve;
  });

  constructor(open: OpenNotification, cancel: () => void, begin: WorkDoneProgressBegin) {
    this.latest = begin;
    open(begin.title, (bar, cancellation) => {
      this.bar = bar;
      cancellation.onCancellationRequested(cancel);
      this.report(this.latest);
      return this.finished;
    });
  }

  /** What comes before the notification is there is kept for it. */
  report(value: { message?: string; percentage?: number }): void {
    this.latest = { ...this.latest, ...value };
    const percentage = Math.max(this.percentage, Math.min(this.latest.percentage ?? 0, 100));
    if (!this.bar)
      return;
    this.bar.report({ message: this.latest.message, increment: percentage - this.percentage });
    this.percentage = percentage;
  }

  end(): void {
    this.finish();
  }
}

export class ProgressNotifications {
  private readonly shown = new Map<ProgressToken, Notification>();

  constructor(
    private readonly open: OpenNotification,
    private readonly cancel: (token: ProgressToken) => void,
  ) {}

  /** Takes a message about progress. Returns whether it is shown here, and the language client need not show it. */
  handle(token: ProgressToken, value: WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd): boolean {
    if (value.kind === 'begin' && value.cancellable) {
      this.shown.set(token, new Notification(this.open, () => this.cancel(token), value));
      return true;
    }
    const notification = this.shown.get(token);
    if (value.kind === 'report')
      notification?.report(value);
    if (value.kind !== 'end')
      return notification !== undefined;
    notification?.end();
    this.shown.delete(token);
    // The language client ends what it keeps of it, too.
    return false;
  }

  /** The server is gone: nothing ends what it has begun. */
  endAll(): void {
    this.shown.forEach((notification) => notification.end());
    this.shown.clear();
  }
}
