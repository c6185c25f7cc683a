import type { UseQueryResult } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api } from '../../../api/client.ts';
import { METRICS, type Metric, type MetricVersion } from '../../../api/metrics.ts';
import { t } from '../../../language/index.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { Item, ItemList } from '../../../ui/item-list.tsx';
import { Section } from '../../../ui/page-head.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { Table } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { useSetSearch } from '../../../ui/use-set-search.ts';
import { StateBadge } from '../state-badge.tsx';
import { changesInWords, comparedVersions, sideText } from './state.ts';

const route = getRouteApi('/shell/metrics/$name');

type Version = MetricVersion & { changes: { path: string }[] };

interface VersionsProps {
  metric: Metric;
  query: UseQueryResult<{ versions: Version[] }, unknown>;
  /** Null for users who may not approve. */
  onApprove: ((version: number) => void) | null;
}

/** All versions, newest first, and what differs between two of them. */
export function Versions({ metric, query, onApprove }: VersionsProps) {
  const { data } = query;
  return (
    <Section id="versions" title={t('Versions')} className="stack">
      <QueryState query={query} />
      {data && (
        <ItemList label={t('Versions')}>
          {data.versions.map((version) => (
            <Item
              key={version.version}
              title={t('Version {version}', { version: version.version })}
              beside={<StateBadge state={version.state} />}
              end={
                onApprove &&
                version.state !== 'approved' && (
                  <Button
                    aria-label={t('Approve version {version}', { version: version.version })}
                    onClick={() => onApprove(version.version)}
                  >
                    {t('Approve')}
                  </Button>
                )
              }
            >
              <p className="small muted">
                {version.createdBy}, <Time iso={version.createdAt} />
                {version.version > 1 && ` · ${changesInWords(version.changes)}`}
              </p>
            </Item>
          ))}
        </ItemList>
      )}
      {data && data.versions.length > 1 && <Compare metric={metric} versions={data.versions} />}
    </Section>
  );
}

function Compare({ metric: { name }, versions }: { metric: Metric; versions: readonly Version[] }) {
  const search = route.useSearch();
  const setSearch = useSetSearch();
  const numbers = versions.map(({ version }) => version);
  const { from, to } = comparedVersions(search, numbers);
  const options = numbers.map((version) => ({ value: String(version), label: t('Version {version}', { version }) }));
  const choose = (end: { from: string } | { to: string }) => setSearch(end, { replace: true, resetScroll: false });
  const query = api.useQuery('get', `${METRICS}/{name}/diff`, { params: { path: { name }, query: { from, to } } });
  const { data } = query;
  return (
    <Section id="compare" title={t('Compare two versions')}>
      <div className="fields">
        <SelectField
          label={t('From')}
          value={String(from)}
          options={options}
          onChoose={(next) => choose({ from: next })}
        />
        <SelectField label={t('To')} value={String(to)} options={options} onChoose={(next) => choose({ to: next })} />
      </div>
      <QueryState query={query} />
      {data && <Changes changes={data.changes} from={from} to={to} />}
    </Section>
  );
}

interface ChangesProps {
  changes: readonly { path: string; before?: unknown; after?: unknown }[];
  from: number;
  to: number;
}

/** The differences of two versions, member by member. */
export function Changes({ changes, from, to }: ChangesProps) {
  if (changes.length === 0) return <p className="muted">{t('They are equal.')}</p>;
  return (
    <Table
      label={t('Version {from} and version {to}', { from, to })}
      columns={[t('Member'), t('Version {version}', { version: from }), t('Version {version}', { version: to })]}
      className="scroll diff"
    >
      {changes.map((change) => {
        const [before, after] = [sideText(change, 'before'), sideText(change, 'after')];
        return (
          <tr key={change.path}>
            <th scope="row">{change.path}</th>
            <td>{before === null ? <Nothing /> : <del>{before}</del>}</td>
            <td>{after === null ? <Nothing /> : <ins>{after}</ins>}</td>
          </tr>
        );
      })}
    </Table>
  );
}

function Nothing() {
  return <span className="muted">{t('not there')}</span>;
}
