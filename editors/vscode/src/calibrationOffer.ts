// Offers to calibrate this machine's CPU when the server says that the numbers would be better: once in a session, and
// never again if the user says so.
//
// Without VS Code's own module, so that it is tested without VS Code.

export interface OfferHost {
  /** What stays between sessions, such as VS Code's globalState. */
  memory: { get(key: string): unknown; update(key: string, value: unknown): unknown };
  /** The chosen button, or undefined if the notification was closed. */
  ask(question: string, ...answers: string[]): Thenable<string | undefined>;
  calibrate(): unknown;
}

export const neverKey = 'calibrationOffer.never';
const yes = 'Calibrate';
const later = 'Not Now';
const never = 'Never';

export class CalibrationOffer {
  private isMade = false;

  constructor(private readonly host: OfferHost) {}

  /** For each status of the server. */
  async take(status: { cpu?: string; calibrationAdvised?: boolean }): Promise<void> {
    if (!status.calibrationAdvised || this.isMade || this.host.memory.get(neverKey))
      return;
    this.isMade = true;
    const answer = await this.host.ask(
      `LLVM's numbers for this machine's CPU (${status.cpu}) are known to be far off. ` +
        'Measuring the CPU takes a few minutes and makes them better.',
      yes, later, never);
    if (answer === yes)
      await this.host.calibrate();
    if (answer === never)
      await this.host.memory.update(neverKey, true);
  }
}
