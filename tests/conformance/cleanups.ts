import type { TestContext } from 'node:test';

/**
 * A stack of cleanup steps. Its `after` lets the helpers of tests/support work outside of a test.
 */
export class Cleanups {
  readonly #steps: (() => unknown)[] = [];
  #over = false;

  /** Throws once the cleanup has begun, since a later step would never run. */
  after(step: () => unknown): void {
    if (this.#over) throw new Error('The run is ending.');
    this.#steps.push(step);
  }

  /** Runs the steps in reverse order; a failing step does not stop the others. */
  async run(): Promise<void> {
    this.#over = true;
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      try {
        await step();
      } catch (error) {
        console.error('cleaning up:', error);
      }
    }
  }

  get testContext(): TestContext {
    return this as unknown as TestContext;
  }
}
