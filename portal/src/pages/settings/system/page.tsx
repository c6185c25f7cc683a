import { api, type Schemas } from '../../../api/client.ts';
import { t } from '../../../language/index.ts';
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
  const unseen = useOperatorReason('see');
  const query = api.useQuery('get', SYSTEM, {}, { enabled: reason === undefined });
  const { data } = query;
  return (
    <div className="stack narrow">
      <PageHead title={t('System')}>
        <Button icon="refresh" reason={reason} onClick={() => void query.refetch()}>
          {t('Refresh')}
        </Button>
      </PageHead>
      {unseen !== undefined && (
        <p className="notice">
          {unseen} {t('The page shows what runs here, its checks and its errors.')}
        </p>
      )}
      <Section id="checks" title={t('Checks')}>
        <Checks reason={reason} />
      </Section>
      {reason === undefined && (
        <>
          <Section id="runs" title={t('This server')}>
            {data ? <Server system={data} /> : <QueryState query={query} height={260} />}
          </Section>
          {data?.nodes && <Nodes nodes={data.nodes} />}
          <Section id="errors" title={t('Recent errors')} className="stack">
            {data && <RecentErrors errors={data.recentErrors} logLevel={data.logLevel} />}
          </Section>
        </>
      )}
    </div>
  );
}

function Server({ system: { versions, startedAt, data, memory } }: { system: System }) {
  const { limitBytes, limitedBy, usedBytes } = memory;
  const sizes = { used: sizeOf(usedBytes), limit: sizeOf(limitBytes) };
  const directory = <code>{data.directory}</code>;
  return (
    <Facts
      label={t('This server')}
      facts={{
        ...Object.fromEntries(versions.map(({ name, version }) => [nameOf(name), version ?? t('does not answer')])),
        [t('Up for')]: (
          <span>
            {t.nodes('{duration}, since {time}', {
              duration: durationWords(Date.now() - Date.parse(startedAt)),
              time: <Time iso={startedAt} />,
            })}
          </span>
        ),
        [t('Data')]: (
          <span>
            {data.kind === 'files'
              ? t.nodes('in files of {directory}', { directory })
              : t.nodes('in databases that nodes share; this node has {directory}', { directory })}
          </span>
        ),
        [t('Memory')]:
          limitedBy === null
            ? t('{used} in use; it plans with {limit}, and nothing limits it', sizes)
            : t('{used} in use; it plans with {limit}, by {limitedBy}', {
                ...sizes,
                limitedBy: nameOfLimit(limitedBy),
              }),
      }}
    />
  );
}

/** The server says it in English, or names a variable. */
function nameOfLimit(limitedBy: string): string {
  return limitedBy === 'the limit of the container' ? t('the limit of the container') : limitedBy;
}

function nameOf(program: string): string {
  return program === 'agent-runtime' ? t('Version') : program;
}

function Nodes({ nodes }: { nodes: NonNullable<System['nodes']> }) {
  return (
    <Section id="nodes" title={t('Nodes')}>
      <Table label={t('Table of nodes')} columns={[t('Node'), t('Last heartbeat'), t('Does for all')]}>
        {nodes.map(({ id, isThis, seenAt, tasks }) => (
          <tr key={id}>
            <th scope="row">
              <code>{id.slice(0, 8)}</code> {isThis && <Badge tone="good">{t('this one|a node')}</Badge>}
            </th>
            <td>
              <Time iso={seenAt} />
            </td>
            <td>{tasks.join(', ') || t('Nothing')}</td>
          </tr>
        ))}
      </Table>
    </Section>
  );
}
