import { useNavigate } from '@tanstack/react-router';
import { answerOf, client } from '../../../api/client.ts';
import { t } from '../../../language/index.ts';
import { Button } from '../../../ui/button.tsx';
import { useTask } from '../../../ui/refusal.tsx';
import { EmptyState, ErrorNotice } from '../../../ui/states.tsx';
import { contentsChanged, STORES } from '../knowledge.ts';
import { sourceFields } from '../uploads/refusals.ts';
import { uploads } from '../uploads/send.ts';
import { SAMPLE } from './sample.ts';

/** The use of stores, with a sample that can be searched at once. */
export function NoStores({ reason }: { reason: string | undefined }) {
  const { error, isBusy, run } = useTask();
  const navigate = useNavigate();
  const load = () =>
    run(async () => {
      await answerOf(client.POST(STORES, { body: { name: SAMPLE.store } }));
      const file = new File([SAMPLE.content], SAMPLE.fileName, { type: 'text/markdown' });
      uploads.add([{ store: SAMPLE.store, path: SAMPLE.fileName, file, fields: sourceFields(SAMPLE.fileName) }]);
      await contentsChanged();
      await navigate({ to: '/knowledge/$store', params: { store: SAMPLE.store }, search: { query: SAMPLE.question } });
    });
  return (
    <div className="panel">
      <EmptyState title={t('No vector store yet')}>
        <p>
          {t(
            'Put handbooks, price lists or answers to common questions into one. Agents then find the passage that answers a question, and name where it stands.',
          )}
        </p>
        <p>{t('Try it with a sample: a store with the rules on returns of a shop, and a question to it.')}</p>
        <Button reason={reason} disabled={isBusy} onClick={() => void load()}>
          {t('Load the sample')}
        </Button>
        {reason !== undefined && <p className="muted">{reason}</p>}
        {error !== null && <ErrorNotice error={error} />}
      </EmptyState>
    </div>
  );
}
