import { Link } from '@tanstack/react-router';
import { t } from '../../language/index.ts';

/** Where there are no suggestions: no event has come, or they are not needed any more. */
export function NothingToSuggest({ isDone, things }: { isDone: boolean; things: 'questions' | 'cards' }) {
  const areQuestions = things === 'questions';
  if (!isDone) {
    return (
      <p className="muted">
        {areQuestions
          ? t('Once an event has arrived, three questions made from it are here.')
          : t('Once an event has arrived, three cards made from it are here.')}
      </p>
    );
  }
  return (
    <p className="muted">
      {areQuestions
        ? t.nodes('Ask more under {link}.', { link: <Link to="/explore">{t('Explore')}</Link> })
        : t.nodes('Make more with the {link}.', { link: <Link to="/cards/new">{t('builder of cards')}</Link> })}
    </p>
  );
}
