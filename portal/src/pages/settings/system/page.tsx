import { api, type Schemas } from '../../../api/client.ts';
import { Button } from '../../../ui/button.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Badge } from '../../../ui/item-list.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { sizeOf } from '../data/words.ts';
import { useOperatorReason } from '../operator.ts';
import { Checks } from './checks.tsx';
import { RecentErrors } from './recent-errors.tsx';
import { durationWords, SYSTEM } from './words.ts';

type System = Schemas['System'];

/** The page of the server: what runs here, and how it is. */
export function SystemSettings() {
  const reason = useOperatorReason();
  const unseen = useOperatorReason('sees');
  const query = api.useQuery('get', SYSTEM, {}, { enabled: reason === undefined });
  const { data } = query;
  return (
    <div className="stack narrow">
      <PageHead title="System">
        <Button icon="refresh" reason={reason} onClick={() => void query.refetch()}>
          Refresh
        </Button>
      </PageHead>
      {unseen !== undefined && (
        <p className="notice">{unseen} The page shows what runs here, its checks and its errors.</p>
      )}
      <section className="panel padded stack" aria-labelledby="checks">
        <h2 id="checks">Checks</h2>
        <Checks reason={reason} />
      </section>
      {reason === undefined && (
        <>
          <section className="panel padded stack" aria-labelledby="runs">
            <h2 id="runs">This server</h2>
            {data ? <Server system={data} /> : <QueryState query={query} what="the server" height={260} />}
          </section>
          {data?.nodes && <Nodes nodes={data.nodes} />}
          <section className="stack" aria-labelledby="errors">
            <h2 id="errors">Recent errors</h2>
            {data && <RecentErrors errors={data.recentErrors} logLevel={data.logLevel} />}
          </section>
        </>
      )}
    </div>
  );
}

function Server({ system: { versions, startedAt, data, memory } }: { system: System }) {
  const { limitBytes, limitedBy, usedBytes } = memory;
  return (
    <Facts
      label="This server"
      facts={[
        ...versions.map(({ name, version }) => [nameOf(name), version ?? 'does not answer'] as const),
        [
          'Up for',
          <span key="up">
            {durationWords(Date.now() - Date.parse(startedAt))}, since <Time iso={startedAt} />
          </span>,
        ],
        [
          'Data',
          <span key="data">
            {data.kind === 'files' ? 'in files of ' : 'in databases that nodes share; this node has '}
            <code>{data.directory}</code>
          </span>,
        ],
        [
          'Memory',
          `${sizeOf(usedBytes)} in use; it plans with ${sizeOf(limitBytes)}, ${limitedBy === null ? 'and nothing limits it' : `by ${limitedBy}`}`,
        ],
      ]}
    />
  );
}

function nameOf(program: string): string {
  return program === 'agent-runtime' ? 'Version' : program;
}

function Nodes({ nodes }: { nodes: NonNullable<System['nodes']> }) {
  return (
    <section className="panel padded stack" aria-labelledby="nodes">
      <h2 id="nodes">Nodes</h2>
      <section className="scroll" aria-label="Table of nodes" tabIndex={0}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Node</th>
              <th scope="col">Last heartbeat</th>
              <th scope="col">Does for all</th>
            </tr>
          </thead>
          <tbody>
            {nodes.map(({ id, isThis, seenAt, tasks }) => (
              <tr key={id}>
                <th scope="row">
                  <code>{id.slice(0, 8)}</code> {isThis && <Badge tone="good">this one</Badge>}
                </th>
                <td>
                  <Time iso={seenAt} />
                </td>
                <td>{tasks.join(', ') || 'Nothing'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}
