import { answerOf, client } from '../../../api/client.ts';
import { METRICS, useKnownMetrics } from '../../../api/metrics.ts';
import { invalidate } from '../../../api/session.ts';
import { t } from '../../../language/index.ts';
import { metricSuggestions } from '../../../question/words/choices.ts';
import { Combobox } from '../../../ui/combobox.tsx';
import { ActDialog } from '../../../ui/dialog.tsx';
import { TextArea, TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { TERMS, type Term, type TermChange } from './terms.ts';

export default function TermDialog({ change, onClose }: { change: TermChange; onClose(): void }) {
  if (change.kind === 'delete') return <DeleteTerm term={change.term} onClose={onClose} />;
  return <TermForm term={change.kind === 'add' ? null : change.term} onClose={onClose} />;
}

function TermForm({ term, onClose }: { term: Term | null; onClose(): void }) {
  const { synonyms = [], metric = '', definition = '' } = term ?? {};
  const known = useKnownMetrics() ?? [];
  const save = (form: { term: string; definition: string; synonyms: string; metric: string }) => {
    const others = form.synonyms
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean);
    const [named, meant] = [form.term.trim(), form.metric.trim()];
    const body = { definition: form.definition.trim() };
    if (term === null) {
      const given = { ...(others.length > 0 && { synonyms: others }), ...(meant !== '' && { metric: meant }) };
      return answerOf(client.POST(TERMS, { body: { term: named, ...body, ...given } }));
    }
    const changed = { synonyms: others.length === 0 ? null : others, metric: meant === '' ? null : meant };
    const params = { path: { term: term.term } };
    return answerOf(client.PATCH(`${TERMS}/{term}`, { params, body: { ...body, ...changed } }));
  };
  return (
    <FormDialog
      title={term === null ? t('Add a term') : t('Edit “{term}”', { term: term.term })}
      act={term === null ? t('Add') : t('Save')}
      start={{ term: '', definition, synonyms: synonyms.join(', '), metric }}
      onSubmit={save}
      invalidate={invalidateTerms}
      done={(form) =>
        term === null
          ? t('The term “{term}” was added', { term: form.term.trim() })
          : t('The term “{term}” was saved', { term: term.term })
      }
      onClose={onClose}
    >
      {({ field }) => (
        <>
          {term === null && <TextField label={t('Term')} maxLength={100} autoFocus {...field.text('term')} />}
          <TextArea label={t('Definition')} maxLength={2_000} {...field.text('definition')} />
          <TextField label={t('Synonyms')} help={t('Separated by commas.')} {...field.text('synonyms')} />
          <Combobox
            label={t('Metric that it means')}
            help={t('Questions then find the metric by the term and its synonyms.')}
            suggestions={metricSuggestions(known)}
            placeholder={t('Choose a metric')}
            {...field.value('metric')}
          />
        </>
      )}
    </FormDialog>
  );
}

function DeleteTerm({ term: { term, metric }, onClose }: { term: Term; onClose(): void }) {
  return (
    <ActDialog
      title={t('Delete this term?')}
      description={
        metric === undefined
          ? t('“{term}” leaves the glossary for everybody.', { term })
          : t('“{term}” leaves the glossary. Questions do not find the metric “{metric}” by it any more.', {
              term,
              metric,
            })
      }
      act={t('Delete')}
      onAct={() => answerOf(client.DELETE(`${TERMS}/{term}`, { params: { path: { term } } }))}
      invalidate={invalidateTerms}
      done={t('The term “{term}” was deleted', { term })}
      onClose={onClose}
    />
  );
}

/** Searches for metrics use terms, too. */
const invalidateTerms = () => invalidate((path) => path === TERMS || path === METRICS);
