/** Timers that tests can replace. */
export interface Timers {
  /** Calls the task once after `ms`. Does not keep the process alive. Returns how to cancel it. */
  after(ms: number, task: () => void): () => void;
}

export const realTimers: Timers = {
  after: (ms, task) => {
    const timer = setTimeout(task, ms).unref();
    return () => clearTimeout(timer);
  },
};
