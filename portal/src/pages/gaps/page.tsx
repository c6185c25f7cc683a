import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { QUERY_EVENTS } from '../../api/answers.ts';
import { api } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { t } from '../../language/index.ts';
import { useAgent } from '../../shell/remembered.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Badge, Item, Rows } from '../../ui/item-list.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { QueryState } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { type GapGroup, gapOf, groupsOf } from './state.ts';

const GAP_REPORTED = 'runtime.gap_reported';
const COLUMNS = ['timestamp', 'agentId', 'question', 'missing'];
/** The newest reports; the API's limit for a page. */
const MAX_REPORTS = 1_000;

/** The questions that agents could not answer. */
export function Gaps() {
  const agentId = useAgent() ?? '*';
  const { can } = useSession();
  const mayWrite = can('metrics:write');
  const query = api.useQuery('post', QUERY_EVENTS, {
    body: { eventName: GAP_REPORTED, agentId, columns: COLUMNS, limit: MAX_REPORTS },
  });
  const { data } = query;
  const groups = useMemo(() => groupsOf(data?.rows.map(gapOf).filter((gap) => gap !== null) ?? []), [data]);
  return (
    <>
      <PageHead title={t('Gaps')} />
      <div className="stack">
        <p className="muted">
          {t.nodes(
            'Questions that agents could not answer from this data. They report them with the MCP tool {tool}.',
            { tool: <code>report_gap</code> },
          )}
        </p>
        <QueryState query={query} height={320} />
        <Rows
          label={t('Questions, the most frequent first')}
          rows={data && groups}
          none={t('No gap was reported')}
          next={
            <>
              <p>{t('When an agent cannot answer a question, it appears here with what was missing.')}</p>
              <Link to="/connect">{t('Connect an MCP client')}</Link>
            </>
          }
        >
          {(group) => <GapItem key={group.newest.question} group={group} mayWrite={mayWrite} />}
        </Rows>
        {data && data.total > MAX_REPORTS && (
          <p className="small muted">
            {t('From the newest {count} of {total} reports.', { count: MAX_REPORTS, total: data.total })}
          </p>
        )}
      </div>
    </>
  );
}

function GapItem({ group: { newest, count, agents, missing }, mayWrite }: { group: GapGroup; mayWrite: boolean }) {
  return (
    <Item
      title={newest.question}
      beside={count > 1 && <Badge>{t('{count} times', { count })}</Badge>}
      end={
        mayWrite && (
          <ButtonLink
            to="/metrics/new-metric"
            search={{ question: newest.question }}
            aria-label={t('Define a metric for: {question}', { question: newest.question })}
          >
            {t('Define a metric')}
          </ButtonLink>
        )
      }
    >
      {missing.map((text) => (
        <p key={text} className="prose-text" dir="auto">
          {t('Missing: {data}', { data: text })}
        </p>
      ))}
      <p className="small muted">
        {agents.join(', ')} · <Time iso={newest.at} />
      </p>
    </Item>
  );
}
