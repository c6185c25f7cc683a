import { keepPreviousData } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { api } from '../../../api/client.ts';
import { Paging } from '../../../feed/list.tsx';
import { PAGE_SIZE, pageNumber } from '../../../feed/state.ts';
import { t } from '../../../language/index.ts';
import { Badge, Item, Rows } from '../../../ui/item-list.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { JOBS } from '../knowledge.ts';
import { failureOf } from '../words.ts';

const route = getRouteApi('/shell/knowledge/$store');

/** Files that are not in the store, each with what is wrong and what to do. */
export function FailedFiles({ store: name }: { store: string }) {
  const number = pageNumber(route.useSearch().page);
  const page = { limit: PAGE_SIZE, offset: (number - 1) * PAGE_SIZE };
  const params = { path: { name }, query: { status: 'failed' as const, ...page } };
  const query = api.useQuery('get', JOBS, { params }, { placeholderData: keepPreviousData });
  return (
    <>
      <QueryState query={query} height={160} />
      <Rows
        label={t('Failed files, the newest first')}
        rows={query.data?.jobs}
        total={query.data?.total}
        none={t('No file has failed in the last 90 days')}
        next={
          <Link to="." search={(before) => ({ ...before, state: undefined })}>
            {t('Show the documents')}
          </Link>
        }
      >
        {(job) => (
          <Item
            key={job.jobId}
            title={job.originalName}
            beside={
              <Badge tone={job.error === 'cancelled' ? 'muted' : 'bad'}>
                {job.error === 'cancelled' ? t('Cancelled') : t('Failed')}
              </Badge>
            }
          >
            <p className="small">{failureOf(job)}</p>
            <p className="small muted">
              {t.nodes('ended {time}', { time: <Time iso={job.completedAt ?? job.createdAt} /> })}
            </p>
          </Item>
        )}
      </Rows>
      {query.data && <Paging label={t('Pages of failed files')} number={number} total={query.data.total} />}
    </>
  );
}
