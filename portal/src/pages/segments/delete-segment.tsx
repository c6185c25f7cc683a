import { answerOf, client } from '../../api/client.ts';
import { invalidateSegments, SEGMENTS, type Segment } from '../../api/segments.ts';
import { segmentTitle } from '../../question/words/choices.ts';
import { ConfirmDialog, pageTitle } from '../../ui/dialog.tsx';
import { announce } from '../../ui/toast.tsx';

export default function DeleteSegment({ segment, onClose }: { segment: Segment; onClose(): void }) {
  const { name } = segment;
  const title = segmentTitle(segment);
  const remove = async () => {
    await answerOf(client.DELETE(`${SEGMENTS}/{name}`, { params: { path: { name } } }));
    await invalidateSegments();
    announce(`The segment “${title}” was deleted`);
  };
  return (
    <ConfirmDialog
      title="Delete this segment?"
      description={`Questions, cards and alerts that name “${name}” get no answer any more.`}
      act="Delete"
      onAct={remove}
      onClose={onClose}
      focusAfter={pageTitle}
    />
  );
}
