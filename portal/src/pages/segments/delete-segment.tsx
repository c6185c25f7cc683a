import { answerOf, client } from '../../api/client.ts';
import { invalidateSegments, SEGMENTS, type Segment } from '../../api/segments.ts';
import { t } from '../../language/index.ts';
import { segmentTitle } from '../../question/words/choices.ts';
import { ActDialog } from '../../ui/dialog.tsx';

export default function DeleteSegment({ segment, onClose }: { segment: Segment; onClose(): void }) {
  const { name } = segment;
  return (
    <ActDialog
      title={t('Delete this segment?')}
      description={t('Questions, cards and alerts that name “{name}” get no answer any more.', { name })}
      act={t('Delete')}
      onAct={() => answerOf(client.DELETE(`${SEGMENTS}/{name}`, { params: { path: { name } } }))}
      invalidate={invalidateSegments}
      done={t('The segment “{title}” was deleted', { title: segmentTitle(segment) })}
      onClose={onClose}
    />
  );
}
