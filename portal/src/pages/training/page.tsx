import { keepPreviousData } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { api, basePath } from '../../api/client.ts';
import { t } from '../../language/index.ts';
import { forReaders } from '../../shell/readers-page.tsx';
import { useAgent } from '../../shell/remembered.ts';
import { Choices } from '../../ui/choices.tsx';
import { PageHead, Section } from '../../ui/page-head.tsx';
import { EmptyState, QueryState } from '../../ui/states.tsx';
import { useSetSearch } from '../../ui/use-set-search.ts';
import { useFilters } from '../reviews/filters.tsx';
import { Download } from './download.tsx';
import { COUNTS } from './export.ts';
import { FilterFields } from './filters.tsx';
import { type Counts, FORMATS, type Format, formatOf, lengthText, REASONS } from './formats.ts';
import { FirstExamples } from './preview.tsx';

const route = getRouteApi('/shell/training');

/** Reviews as files for fine-tuning: which, in which format, what is left out, and how it begins. */
export const Training = forReaders(t('Training data'), 'reviews', 'reviews:read', TrainingPage);

function TrainingPage() {
  const { filters, isFiltered } = useFilters();
  const format = formatOf(route.useSearch().format);
  const query = api.useQuery('get', COUNTS, { params: { query: filters } }, { placeholderData: keepPreviousData });
  const { data, isPlaceholderData } = query;
  const isEmpty = data?.reviews === 0 && !isPlaceholderData;
  return (
    <>
      <PageHead title={t('Training data')} />
      <div className="stack">
        <p className="muted">{t('Reviewed answers as a file for fine-tuning, with whole conversations.')}</p>
        {(isFiltered || (data && !isEmpty)) && <FilterFields isFiltered={isFiltered} />}
        <QueryState query={query} height={320} />
        {isEmpty && <NoReviews isFiltered={isFiltered} />}
        {data && data.reviews > 0 && <Formats counts={data} format={format} query={{ ...filters, format }} />}
      </div>
    </>
  );
}

function NoReviews({ isFiltered }: { isFiltered: boolean }) {
  const agent = useAgent();
  return (
    <div className="panel">
      {isFiltered ? (
        <EmptyState title={t('No review matches')}>
          <p>{t('Choose another rating, status, priority, tag or time.')}</p>
        </EmptyState>
      ) : (
        <EmptyState
          title={agent === undefined ? t('No reviews yet') : t('No reviews of the agent “{agent}” yet', { agent })}
        >
          <p>
            {t('Every review of a recorded execution can become an example: correct a bad answer, or rate a good one.')}
          </p>
          <a href={`${basePath}docs`}>{t('How to record and review an execution')}</a>
          {agent !== undefined && (
            <Link to="." search={(before) => ({ ...before, agent: undefined })}>
              {t('Take the reviews of all agents')}
            </Link>
          )}
        </EmptyState>
      )}
    </div>
  );
}

interface FormatsProps {
  counts: Counts;
  format: Format;
  query: Parameters<typeof FirstExamples>[0]['query'];
}

function Formats({ counts, format, query }: FormatsProps) {
  const setSearch = useSetSearch();
  const countOf = (one: Format) => counts.formats.find((each) => each.format === one)!;
  const choices = FORMATS.map(({ value, label, help }) => ({
    value,
    label: `${label}: ${lengthText(countOf(value).lines, value)}`,
    help,
  }));
  const chosen = countOf(format);
  return (
    <>
      <div className="panel padded">
        <Choices legend={t('Format')} value={format} choices={choices} onChoose={(one) => setSearch({ format: one })} />
      </div>
      <Section id="file" title={t('The file')}>
        <LeftOut counts={chosen} reviews={counts.reviews} />
        <Download query={query} total={chosen.lines} />
      </Section>
      {chosen.lines > 0 && <FirstExamples query={query} total={chosen.lines} />}
    </>
  );
}

/** How many lines the file has, and why some reviews have none. */
function LeftOut({ counts, reviews }: { counts: Counts['formats'][number]; reviews: number }) {
  const { format, lines, skipped, reasons } = counts;
  const used = reviews - skipped;
  return (
    <>
      <p>
        {t.nodes('{lines} from {reviews}.', {
          lines: <strong>{lengthText(lines, format)}</strong>,
          reviews: t.count(reviews, '{used} of {count} review', '{used} of {count} reviews', { used }),
        })}
        {skipped > 0 && ` ${t.count(skipped, '{count} is left out:', '{count} are left out:')}`}
      </p>
      {reasons.length > 0 && (
        <ul className="bullets" aria-label={t('Reviews that are left out')}>
          {reasons.map(({ reason, reviews: left }) => (
            <li key={reason}>
              {t.count(left, '{count} review', '{count} reviews')}: {REASONS[reason]}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
