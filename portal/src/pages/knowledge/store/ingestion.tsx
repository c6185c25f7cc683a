import { useEffect, useRef } from 'react';
import { answerOf, api, client } from '../../../api/client.ts';
import { t } from '../../../language/index.ts';
import { Actions, Item } from '../../../ui/item-list.tsx';
import { Section } from '../../../ui/page-head.tsx';
import { useTask } from '../../../ui/refusal.tsx';
import { ErrorNotice, QueryFault } from '../../../ui/states.tsx';
import { announce } from '../../../ui/toast.tsx';
import { CANCEL, contentsChanged, JOBS, type Job, type VectorStore } from '../knowledge.ts';
import { useWriteReason } from '../reasons.ts';
import { stageOf } from '../words.ts';

const SHOWN = 20;
const POLL_MS = 1_500;

function useJobs(name: string, status: 'queued' | 'processing') {
  const params = { path: { name }, query: { status, limit: SHOWN } };
  return api.useQuery(
    'get',
    JOBS,
    { params },
    { refetchInterval: ({ state: { data } }) => (data && data.total > 0 ? POLL_MS : false), staleTime: 0 },
  );
}

/** The files that the server reads, with how far each is. Also those that other people and programs have sent. */
export function Ingestion({ store: { name, embedder } }: { store: VectorStore }) {
  const processing = useJobs(name, 'processing');
  const queued = useJobs(name, 'queued');
  const reason = useWriteReason();
  const { error, run } = useTask();
  const open = (processing.data?.total ?? 0) + (queued.data?.total ?? 0);
  const known = useRef(open);
  useEffect(() => {
    // A job that has ended is a document now, or a failure.
    if (open < known.current) void contentsChanged();
    known.current = open;
  }, [open]);
  const cancel = ({ jobId, originalName }: Job) =>
    run(async () => {
      await answerOf(client.POST(CANCEL, { params: { path: { jobId } }, body: {} }));
      await contentsChanged();
      announce(t('{name} was cancelled', { name: originalName }));
    });
  if (open === 0) return <QueryFault query={processing.error ? processing : queued} />;
  const jobs = [...(processing.data?.jobs ?? []), ...(queued.data?.jobs.toReversed() ?? [])];
  return (
    <Section id="ingestion" title={t('Being ingested')}>
      <p role="status" className="small muted">
        {t.count(
          open,
          '{count} file is read or waits. You may leave the page.',
          '{count} files are read or wait. You may leave the page.',
        )}
      </p>
      {error !== null && <ErrorNotice error={error} />}
      <ul className="items" aria-label={t('Files that are ingested')}>
        {jobs.map((job) => (
          <Item
            key={job.jobId}
            title={job.originalName}
            end={
              <Actions
                actions={[
                  {
                    ...{ label: t('Cancel'), name: t('Cancel {name}', { name: job.originalName }), reason },
                    onClick: () => void cancel(job),
                  },
                ]}
              />
            }
          >
            {job.status === 'processing' && (
              <progress aria-label={t('{name} is ingested', { name: job.originalName })} value={job.progress} max={1} />
            )}
            <p className="small muted">{stageOf(job, embedder !== 'none')}</p>
          </Item>
        ))}
      </ul>
    </Section>
  );
}
