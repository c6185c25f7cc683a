import { type ShownTarget, targetInWords } from './targets.ts';

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
