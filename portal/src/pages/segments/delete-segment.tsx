import { answerOf, client } from '../../api/client.ts';
import { invalidateSegments, SEGMENTS, type Segment } from '../../api/segments.ts';
import { segmentTitle } from '../../question/words/choices.ts';
import { ActDialog } from '../../ui/dialog.tsx';

export default function DeleteSegment({ segment, onClose }: { segment: Segment; onClose(): void }) {
  const { name } = segment;
  return (
    <ActDialog
      title="Delete this segment?"
      description={`Questions, cards and alerts that name “${name}” get no answer any more.`}
      act="Delete"
      onAct={() => answerOf(client.DELETE(`${SEGMENTS}/{name}`, { params: { path: { name } } }))}
      invalidate={invalidateSegments}
      done={`The segment “${segmentTitle(segment)}” was deleted`}
      onClose={onClose}
    />
  );
}
