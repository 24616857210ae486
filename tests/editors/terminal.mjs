// A terminal without a window, of 130 columns: tmux draws what an editor draws, takes keys, and says what is on the screen.
import { until } from './debian.mjs';

export class Terminal {
  /** Opens `command`, a line of shell, in a terminal of its own in `debian`. */
  static async open(debian, home, command) {
    const terminal = new Terminal(debian, home);
    terminal.child = debian.start(home, 'exec tmux -D -S tmux.sock -f /dev/null');
    await until(() => terminal.tries('list-commands'), 'tmux', () => terminal.child.log);
    terminal.tmux('new-session', '-d', '-x', '130', '-y', '50', '-c', home.inside, command);
    return terminal;
  }

  constructor(debian, home) {
    Object.assign(this, { debian, home });
  }

  tmux(...args) {
    return this.debian.run(this.home, ['tmux', '-N', '-S', `${this.home.inside}/tmux.sock`, ...args]);
  }

  tries(...args) {
    try {
      this.tmux(...args);
      return true;
    } catch {
      return false;
    }
  }

  /** Presses keys by tmux's names of them, such as Escape. */
  press(...keys) {
    this.tmux('send-keys', ...keys);
  }

  /** A semicolon at the end would separate tmux's own commands. */
  type(text) {
    this.tmux('send-keys', '-l', text.replace(/;$/, '\\;'));
  }

  screen() {
    return this.tmux('capture-pane', '-p').replace(/\s+$/, '');
  }

  /** The first line on the screen that matches. */
  line(pattern, what = `${pattern} on the screen`, deadline = undefined) {
    return until(() => this.screen().split('\n').find((line) => pattern.test(line)), what, () => this.screen(), deadline);
  }

  /** Waits until nothing on the screen matches. */
  gone(pattern) {
    return until(() => !pattern.test(this.screen()), `the end of ${pattern}`, () => this.screen());
  }
}
