/** Shows nothing without a terminal or a total. `shown` is a template over the payload. */
export async function showProgress<Payload extends object>(total: number, shown = '', payload?: Payload) {
  if (total === 0 || !process.stderr.isTTY) {
    const nothing = () => undefined;
    return { update: (_done: number, _payload?: Payload) => undefined, clear: nothing, finish: nothing, stop: nothing };
  }
  const { Presets, SingleBar } = await import('cli-progress');
  const parts = ['{bar} {percentage}%', ...(shown === '' ? [] : [shown]), '{duration_formatted}'];
  const bar = new SingleBar(
    { format: parts.join(' | '), stream: process.stderr, hideCursor: true },
    Presets.shades_classic,
  );
  bar.start(total, 0, payload);
  return {
    update: (done: number, next?: Payload) => bar.update(done, next),
    /** Before a line is printed: the bar is drawn anew below it. */
    clear: () => process.stderr.write('\r\x1b[K'),
    finish: () => {
      bar.update(total);
      bar.stop();
    },
    stop: () => bar.stop(),
  };
}
