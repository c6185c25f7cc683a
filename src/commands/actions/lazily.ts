/** An action whose module is loaded when the command runs: names and help texts cost little. */
export function lazily<Arguments extends unknown[]>(load: () => Promise<{ run(...given: Arguments): unknown }>) {
  return async (...given: Arguments): Promise<void> => {
    const { run } = await load();
    await run(...given);
  };
}
