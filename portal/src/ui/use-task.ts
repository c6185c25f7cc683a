import { useState } from 'react';

/** A task that a button or a form starts: whether it runs, and the error of the last run. */
export function useTask() {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  /** Null when the task failed. */
  const run = async <Result>(task: () => Promise<Result>): Promise<Result | null> => {
    setBusy(true);
    setError(null);
    try {
      return await task();
    } catch (fault) {
      setError(fault);
      return null;
    } finally {
      setBusy(false);
    }
  };
  return { error, isBusy, run, forgetError: () => setError(null) };
}
