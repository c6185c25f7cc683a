import assert from 'node:assert/strict';

/**
 * Fails if sixteen times the text takes over a hundred times the processor time: linear work takes sixteen times, quadratic
 * work 256 times. The garbage collection of an earlier test may fall into one measurement, but not into three.
 */
export function assertLinear(
  textOf: (length: number) => string,
  length: number,
  work: (text: string) => unknown,
): void {
  const timeOf = (characters: number) => {
    const text = textOf(characters);
    const start = process.cpuUsage().user;
    work(text);
    return process.cpuUsage().user - start;
  };
  const isLinear = () => timeOf(16 * length) < 100 * Math.max(2_000, timeOf(length));
  assert.ok(isLinear() || isLinear() || isLinear(), `${JSON.stringify(textOf(length).slice(0, 9))}...`);
}
