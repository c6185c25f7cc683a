import { type ScheduleForm, type ShownTarget, scheduleName, targetInWords } from './state.ts';

/** A schedule in words: "Daily at 8:00, Europe/Berlin". */
export function Schedule({ every, timezone }: ScheduleForm) {
  const name = scheduleName(every);
  return (
    <>
      {name === null ? <code>{every}</code> : name}, {timezone}
    </>
  );
}

export function TargetList({ targets }: { targets: readonly ShownTarget[] }) {
  if (targets.length === 0) return 'Nobody: it has no targets';
  return (
    <ul>
      {targets.map((target, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the shown forms of two Slack targets may be equal
        <li key={index}>{targetInWords(target)}</li>
      ))}
    </ul>
  );
}
