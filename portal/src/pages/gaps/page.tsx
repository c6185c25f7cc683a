import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { QUERY_EVENTS } from '../../api/answers.ts';
import { api } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
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
      <PageHead title="Gaps" />
      <div className="stack">
        <p className="muted">
          Questions that agents could not answer from this data. They report them with the MCP tool{' '}
          <code>report_gap</code>.
        </p>
        <QueryState query={query} height={320} />
        <Rows
          label="Questions, the most frequent first"
          rows={data && groups}
          none="No gap was reported"
          next={
            <>
              <p>When an agent cannot answer a question, it appears here with what was missing.</p>
              <Link to="/connect">Connect an MCP client</Link>
            </>
          }
        >
          {(group) => <GapItem key={group.newest.question} group={group} mayWrite={mayWrite} />}
        </Rows>
        {data && data.total > MAX_REPORTS && (
          <p className="small muted">
            From the newest {MAX_REPORTS.toLocaleString()} of {data.total.toLocaleString()} reports.
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
      beside={count > 1 && <Badge>{count.toLocaleString()} times</Badge>}
      end={
        mayWrite && (
          <ButtonLink
            to="/metrics/new-metric"
            search={{ question: newest.question }}
            aria-label={`Define a metric for: ${newest.question}`}
          >
            Define a metric
          </ButtonLink>
        )
      }
    >
      {missing.map((text) => (
        <p key={text} className="prose-text" dir="auto">
          Missing: {text}
        </p>
      ))}
      <p className="small muted">
        {agents.join(', ')} · <Time iso={newest.at} />
      </p>
    </Item>
  );
}
