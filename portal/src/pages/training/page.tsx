import { keepPreviousData } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { api, basePath } from '../../api/client.ts';
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
import { type Counts, counted, FORMATS, type Format, formatOf, nounOf } from './formats.ts';
import { FirstExamples } from './preview.tsx';

const route = getRouteApi('/shell/training');

/** Reviews as files for fine-tuning: which, in which format, what is left out, and how it begins. */
export const Training = forReaders('Training data', 'reviews', 'reviews:read', TrainingPage);

function TrainingPage() {
  const { filters, isFiltered } = useFilters();
  const format = formatOf(route.useSearch().format);
  const query = api.useQuery('get', COUNTS, { params: { query: filters } }, { placeholderData: keepPreviousData });
  const { data, isPlaceholderData } = query;
  const isEmpty = data?.reviews === 0 && !isPlaceholderData;
  return (
    <>
      <PageHead title="Training data" />
      <div className="stack">
        <p className="muted">Reviewed answers as a file for fine-tuning, with whole conversations.</p>
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
        <EmptyState title="No review matches">
          <p>Choose another rating, status, priority, tag or time.</p>
        </EmptyState>
      ) : (
        <EmptyState title={agent === undefined ? 'No reviews yet' : `No reviews of the agent “${agent}” yet`}>
          <p>Every review of a recorded execution can become an example: correct a bad answer, or rate a good one.</p>
          <a href={`${basePath}docs`}>How to record and review an execution</a>
          {agent !== undefined && (
            <Link to="." search={(before) => ({ ...before, agent: undefined })}>
              Take the reviews of all agents
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
    label: `${label}: ${counted(countOf(value).lines, nounOf(value))}`,
    help,
  }));
  const chosen = countOf(format);
  return (
    <>
      <div className="panel padded">
        <Choices legend="Format" value={format} choices={choices} onChoose={(one) => setSearch({ format: one })} />
      </div>
      <Section id="file" title="The file">
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
        <strong>{counted(lines, nounOf(format))}</strong> from {used.toLocaleString()} of {counted(reviews, 'review')}.
        {skipped > 0 && ` ${skipped === 1 ? '1 is' : `${skipped.toLocaleString()} are`} left out:`}
      </p>
      {reasons.length > 0 && (
        <ul className="bullets" aria-label="Reviews that are left out">
          {reasons.map(({ reason, words, reviews: left }) => (
            <li key={reason}>
              {counted(left, 'review')}: {words}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
