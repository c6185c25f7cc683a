import type { TestContext } from 'node:test';

/**
 * Undoes what a run did, last things first. Its `after` is all that the helpers in tests/support want of a test, so they
 * work outside of one too.
 */
export class Cleanups {
  readonly #steps: (() => unknown)[] = [];
  #over = false;

  /** Refuses once the undoing has begun: nothing may be started that would then be left behind. */
  after(step: () => unknown): void {
    if (this.#over) throw new Error('The run is ending.');
    this.#steps.push(step);
  }

  /** A step that fails does not keep the others from being taken. */
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
