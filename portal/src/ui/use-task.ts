import { useState } from 'react';

/** A task that a button or a form starts: whether it runs, and the error of the last run. */
export function useTask() {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const run = async (task: () => Promise<unknown>) => {
    setBusy(true);
    setError(null);
    try {
      await task();
    } catch (fault) {
      setError(fault);
    }
    setBusy(false);
  };
  return { error, isBusy, run, forgetError: () => setError(null) };
}
