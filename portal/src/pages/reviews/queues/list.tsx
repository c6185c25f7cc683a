import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useSession } from '../../../api/session.ts';
import { t } from '../../../language/index.ts';
import { Actions, Item, ItemLink, Rows } from '../../../ui/item-list.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { Section } from '../../../ui/page-head.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { QUEUES, type QueueRow } from '../api.ts';
import { progressText } from '../words.ts';
import { rulesInWords } from './form.ts';

const QueueDialog = lazyDialog(() => import('./dialog.tsx'));
const DeleteQueue = lazyDialog(async () => ({ default: (await import('./dialog.tsx')).DeleteQueue }));

/** A tenant has no more. */
const MOST = 100;
/** Items come while the page is open. */
const REFRESH_MS = 60_000;

/** The queues by name, with what waits in each. */
export function QueueList() {
  const query = api.useQuery('get', QUEUES, { params: { query: { limit: MOST } } }, { refetchInterval: REFRESH_MS });
  const [asked, setAsked] = useState<{ for: 'change' | 'delete'; queue: QueueRow }>();
  const close = () => setAsked(undefined);
  return (
    <Section id="queues" title={t('Queues')} className="stack">
      <QueryState query={query} />
      <Rows
        label={t('Queues')}
        rows={query.data?.queues}
        none={t('No queues yet')}
        next={
          <p>
            {t(
              'A queue holds executions that wait for reviewers, such as those that failed, a tenth of all, or those after which somebody complained. It fills itself.',
            )}
          </p>
        }
      >
        {(queue) => <QueueItem key={queue.name} queue={queue} onAsk={(what) => setAsked({ for: what, queue })} />}
      </Rows>
      {asked?.for === 'change' && <QueueDialog queue={asked.queue} onClose={close} />}
      {asked?.for === 'delete' && <DeleteQueue queue={asked.queue} onClose={close} />}
    </Section>
  );
}

function QueueItem({ queue, onAsk }: { queue: QueueRow; onAsk(what: 'change' | 'delete'): void }) {
  const { can } = useSession();
  const title = queue.title ?? queue.name;
  return (
    <Item
      title={
        <ItemLink to="/reviews" search={{ queue: queue.name }}>
          {title}
        </ItemLink>
      }
      beside={<span className="small muted">{progressText(queue)}</span>}
      end={
        can('reviews:write') && (
          <Actions
            actions={[
              { label: t('Change'), name: t('Change {name}', { name: title }), onClick: () => onAsk('change') },
              { label: t('Delete'), name: t('Delete {name}', { name: title }), onClick: () => onAsk('delete') },
            ]}
          />
        )
      }
    >
      <p className="small muted">{rulesInWords(queue)}</p>
    </Item>
  );
}
