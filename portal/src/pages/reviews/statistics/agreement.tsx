import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { api, basePath } from '../../../api/client.ts';
import { LOCALE, t } from '../../../language/index.ts';
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
    <Section id="agreement" title={t('Do people agree?')}>
      <QueryState query={query} />
      {rubrics?.length === 0 && <NoRubrics />}
      {known.length > 0 && (
        <>
          <p className="muted">
            {t(
              'Where several people answered the same rubric about the same executions, their answers are compared. Those of API keys and judges do not count.',
            )}
          </p>
          <div className="outcome-field">
            <SelectField
              label={t('Rubric')}
              value={known.some(({ value }) => value === rubric) ? rubric : ''}
              options={[{ value: '', label: t('Choose a rubric') }, ...known]}
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
      {t.nodes(
        'A rubric is a set of questions that several people answer about an execution: yes or no, one of some, 1 to 5, or a text. There is none yet. {link}, or read in the {reference} and in {file} how a program does.',
        {
          link: <Link to="/reviews">{t('Make one|a rubric')}</Link>,
          reference: <a href={`${basePath}docs`}>{t('API reference')}</a>,
          file: <code>docs/reviews.md</code>,
        },
      )}
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
    return <p className="notice">{t('This rubric asks for texts alone. Texts are not compared.')}</p>;
  }
  const numbers = [t('Executions'), t('People'), t('Same answers'), t('Kappa')];
  const columns = [t('Question'), ...numbers.map((number) => ({ number })), t('95 % interval'), t('Method')];
  return (
    <>
      <Table label={t('Agreement on {rubric}', { rubric: name })} columns={columns}>
        {data.questions.map((agreed) => (
          <Row key={agreed.id} agreed={agreed} text={rubric?.questions.find(({ id }) => id === agreed.id)?.text} />
        ))}
      </Table>
      <p className="small muted">
        {t(
          'Version {version} of the rubric. Kappa is the agreement beyond chance: 1 is complete, 0 is what chance alone would give. Its interval is of the Bayesian bootstrap over the executions; where all agree it is 1 to 1, which says little of few executions.',
          { version: data.version },
        )}
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
      <td className="number">{items.toLocaleString(LOCALE)}</td>
      <td className="number">{assessors.toLocaleString(LOCALE)}</td>
      <td className="number">{raw === null ? '–' : raw.toLocaleString(LOCALE, PERCENT)}</td>
      {kappa === null ? (
        <td colSpan={3} className="muted">
          {whyNoKappa(agreed)}
        </td>
      ) : (
        <>
          <td className="number">{decimals(kappa)}</td>
          <td>{t('{low} to {high}', { low: decimals(low), high: decimals(high) })}</td>
          <td>{methodInWords(method)}</td>
        </>
      )}
    </tr>
  );
}

const PERCENT = { style: 'percent', maximumFractionDigits: 0 } as const;

function decimals(value: number | null): string {
  return value === null ? '–' : value.toLocaleString(LOCALE, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}
