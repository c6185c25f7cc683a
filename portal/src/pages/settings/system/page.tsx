import { api, type Schemas } from '../../../api/client.ts';
import { Button } from '../../../ui/button.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Badge } from '../../../ui/item-list.tsx';
import { PageHead, Section } from '../../../ui/page-head.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { Table } from '../../../ui/table.tsx';
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
      <Section id="checks" title="Checks">
        <Checks reason={reason} />
      </Section>
      {reason === undefined && (
        <>
          <Section id="runs" title="This server">
            {data ? <Server system={data} /> : <QueryState query={query} height={260} />}
          </Section>
          {data?.nodes && <Nodes nodes={data.nodes} />}
          <Section id="errors" title="Recent errors" className="stack">
            {data && <RecentErrors errors={data.recentErrors} logLevel={data.logLevel} />}
          </Section>
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
      facts={{
        ...Object.fromEntries(versions.map(({ name, version }) => [nameOf(name), version ?? 'does not answer'])),
        'Up for': (
          <span>
            {durationWords(Date.now() - Date.parse(startedAt))}, since <Time iso={startedAt} />
          </span>
        ),
        Data: (
          <span>
            {data.kind === 'files' ? 'in files of ' : 'in databases that nodes share; this node has '}
            <code>{data.directory}</code>
          </span>
        ),
        Memory: `${sizeOf(usedBytes)} in use; it plans with ${sizeOf(limitBytes)}, ${limitedBy === null ? 'and nothing limits it' : `by ${limitedBy}`}`,
      }}
    />
  );
}

function nameOf(program: string): string {
  return program === 'agent-runtime' ? 'Version' : program;
}

function Nodes({ nodes }: { nodes: NonNullable<System['nodes']> }) {
  return (
    <Section id="nodes" title="Nodes">
      <Table label="Table of nodes" columns={['Node', 'Last heartbeat', 'Does for all']}>
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
      </Table>
    </Section>
  );
}
