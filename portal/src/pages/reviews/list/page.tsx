import { useState } from 'react';
import { useSession } from '../../../api/session.ts';
import { t } from '../../../language/index.ts';
import { Button } from '../../../ui/button.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { QueueList } from '../queues/list.tsx';
import { RubricList } from '../rubrics/list.tsx';
import { ReviewList } from './reviews.tsx';

const QueueDialog = lazyDialog(() => import('../queues/dialog.tsx'));

/** The queues, the rubrics, and all reviews. */
export function ReviewsPage() {
  const { can } = useSession();
  const [isAdding, setAdding] = useState(false);
  const reason = can('reviews:write') ? undefined : t('Your role lets you look at queues, not make them.');
  return (
    <>
      <PageHead title={t('Reviews')}>
        <Button look="primary" icon="add" reason={reason} onClick={() => setAdding(true)}>
          {t('New queue')}
        </Button>
      </PageHead>
      <div className="stack">
        <QueueList />
        <RubricList />
        <ReviewList />
      </div>
      {isAdding && <QueueDialog queue={null} onClose={() => setAdding(false)} />}
    </>
  );
}
