import { setTimeout as sleep } from 'node:timers/promises';

export interface Watched<Result> {
  /** Milliseconds of CPU time. */
  turn: number;
  /** By how many bytes the memory of the process grew meanwhile. */
  memory: number;
  result: Result;
}

/**
 * The longest turn of this thread's event loop while the work is done, in the CPU time of the thread: other processes of a
 * busy machine do not count, as they would in the time that passes.
 */
export async function longestTurn<Result>(work: () => Promise<Result>): Promise<Watched<Result>> {
  const before = process.memoryUsage.rss();
  let [turn, memory] = [0, 0];
  let last = process.threadCpuUsage();
  const look = () => {
    const { user, system } = process.threadCpuUsage(last);
    turn = Math.max(turn, (user + system) / 1_000);
    memory = Math.max(memory, process.memoryUsage.rss() - before);
    last = process.threadCpuUsage();
  };
  const timer = setInterval(look, 1);
  try {
    const result = await work();
    // The turn that answered ends after the answer has arrived.
    await sleep(2);
    look();
    return { turn, memory, result };
  } finally {
    clearInterval(timer);
  }
}

const SAMPLE = JSON.stringify(
  Array.from({ length: 180_000 }, (_, index) => ({ propertyKey: `key ${index}`, operator: 'in', value: [index, 'x'] })),
);

/**
 * CPU time of a piece of work of known size, the reading and writing of 11 MB of JSON: the unit in which turns are measured,
 * so that a slow machine does not fail. On a machine of 2026 it takes 100 ms, which is what a turn may take there.
 */
export function unitOfWork(): number {
  const times = Array.from({ length: 5 }, () => {
    const before = process.threadCpuUsage();
    JSON.stringify(JSON.parse(SAMPLE));
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  });
  return times.toSorted((one, other) => one - other)[2]!;
}
