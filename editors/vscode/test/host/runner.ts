// Runs tests inside the extension host, one after the other, and leaves what became of them in the file MCA_HOST_RESULTS.
import { writeFileSync } from 'node:fs';

export interface Result {
  name: string;
  /** Empty when it passed. */
  error: string;
}

const tests: [string, () => Promise<void>][] = [];
const deadlineMs = 90_000;

export function test(name: string, body: () => Promise<void>): void {
  tests.push([name, body]);
}

/** Asks again until `ask` gives something true; throws with `what` when it never does. */
export async function eventually<T>(what: string, ask: () => T | Promise<T>, timeoutMs = 40_000): Promise<NonNullable<T>> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer)
      return answer;
    if (Date.now() > end)
      throw new Error(`timed out: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** No test holds up the others. */
async function attempt(body: () => Promise<void>): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`not over after ${deadlineMs} ms`), deadlineMs);
  });
  const done = body().then(() => '', (error) => String(error?.stack ?? error));
  const result = await Promise.race([done, late]);
  clearTimeout(timer);
  return result;
}

export async function runAll(): Promise<void> {
  const results: Result[] = [];
  for (const [name, body] of tests) {
    results.push({ name, error: await attempt(body) });
    writeFileSync(`${process.env.MCA_HOST_RESULTS}.part`, JSON.stringify(results, undefined, 2));
  }
  writeFileSync(String(process.env.MCA_HOST_RESULTS), JSON.stringify(results));
}
