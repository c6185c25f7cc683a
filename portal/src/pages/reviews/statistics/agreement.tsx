import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { api, basePath } from '../../../api/client.ts';
import { SelectField } from '../../../ui/field.tsx';
import { Section } from '../../../ui/page-head.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { Table } from '../../../ui/table.tsx';
import { useSetSearch } from '../../../ui/use-set-search.ts';
import { RUBRIC, rubricsQuery } from '../api.ts';
import { type Agreed, methodInWords, whyNoKappa } from './agreement-words.ts';

const route = getRouteApi('/shell/reviews/statistics');

/** How far people agree on the questions of the rubric that the address names. */
export function Agreement() {
  const { rubric = '' } = route.useSearch();
  const setSearch = useSetSearch();
  const query = useQuery(rubricsQuery);
  const { data: rubrics } = query;
  const known = rubrics?.map(({ name, title }) => ({ value: name, label: title })) ?? [];
  return (
    <Section id="agreement" title="Do people agree?">
      <QueryState query={query} />
      {rubrics?.length === 0 && <NoRubrics />}
      {known.length > 0 && (
        <>
          <p className="muted">
            Where several people answered the same rubric about the same executions, their answers are compared. Those
            of API keys and judges do not count.
          </p>
          <div className="outcome-field">
            <SelectField
              label="Rubric"
              value={known.some(({ value }) => value === rubric) ? rubric : ''}
              options={[{ value: '', label: 'Choose a rubric' }, ...known]}
              onChoose={(name) => setSearch({ rubric: name || undefined }, { replace: true, resetScroll: false })}
            />
          </div>
          {rubric !== '' && <Answer name={rubric} />}
        </>
      )}
    </Section>
  );
}

function NoRubrics() {
  return (
    <p>
      A rubric is a set of questions that several people answer about an execution: yes or no, one of some, 1 to 5, or a
      text. There is none yet. <Link to="/reviews">Make one</Link>, or read in the{' '}
      <a href={`${basePath}docs`}>API reference</a> and in <code>docs/reviews.md</code> how a program does.
    </p>
  );
}

function Answer({ name }: { name: string }) {
  const query = api.useQuery('get', `${RUBRIC}/agreement`, { params: { path: { name } } });
  const { data } = query;
  const asked = { params: { path: { name: `${name}@${data?.version}` } } };
  const { data: rubric } = api.useQuery('get', RUBRIC, asked, { enabled: data !== undefined });
  if (data === undefined) return <QueryState query={query} height={220} />;
  if (data.questions.length === 0) {
    return <p className="notice">This rubric asks for texts alone. Texts are not compared.</p>;
  }
  const columns = ['Question', ...['Executions', 'People', 'Same answers', 'Kappa'].map((number) => ({ number }))];
  return (
    <>
      <Table label={`Agreement on ${name}`} columns={[...columns, '95 % interval', 'Method']}>
        {data.questions.map((agreed) => (
          <Row key={agreed.id} agreed={agreed} text={rubric?.questions.find(({ id }) => id === agreed.id)?.text} />
        ))}
      </Table>
      <p className="small muted">
        Version {data.version} of the rubric. Kappa is the agreement beyond chance: 1 is complete, 0 is what chance
        alone would give. Its interval is of the Bayesian bootstrap over the executions; where all agree it is 1 to 1,
        which says little of few executions.
      </p>
    </>
  );
}

function Row({ agreed, text }: { agreed: Agreed; text: string | undefined }) {
  const { id, items, assessors, raw, kappa, low, high, method } = agreed;
  return (
    <tr>
      <th scope="row" dir="auto">
        {text ?? id}
      </th>
      <td className="number">{items.toLocaleString()}</td>
      <td className="number">{assessors.toLocaleString()}</td>
      <td className="number">{raw === null ? '–' : raw.toLocaleString(undefined, PERCENT)}</td>
      {kappa === null ? (
        <td colSpan={3} className="muted">
          {whyNoKappa(agreed)}
        </td>
      ) : (
        <>
          <td className="number">{decimals(kappa)}</td>
          <td>
            {decimals(low)} to {decimals(high)}
          </td>
          <td>{methodInWords(method)}</td>
        </>
      )}
    </tr>
  );
}

const PERCENT = { style: 'percent', maximumFractionDigits: 0 } as const;

function decimals(value: number | null): string {
  return value === null ? '–' : value.toLocaleString(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}
