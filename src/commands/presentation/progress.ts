/** A bar on a terminal; nothing elsewhere, nor without a total. `shown` goes beside it and names members of the payload. */
export async function showProgress<Payload extends object>(total: number, shown = '', payload?: Payload) {
  if (total === 0 || !process.stderr.isTTY) {
    const nothing = () => undefined;
    return { update: (_done: number, _payload?: Payload) => undefined, stop: nothing, leave: nothing };
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
    /** All is done. */
    stop: () => {
      bar.update(total);
      bar.stop();
    },
    /** As far as it has come. */
    leave: () => bar.stop(),
  };
}
