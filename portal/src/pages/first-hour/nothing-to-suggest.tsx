import { Link } from '@tanstack/react-router';

/** Where there are no suggestions: no event has come, or they are not needed any more. */
export function NothingToSuggest({ isDone, what }: { isDone: boolean; what: 'questions' | 'cards' }) {
  if (!isDone) return <p className="muted">Once an event has arrived, three {what} made from it are here.</p>;
  return (
    <p className="muted">
      {what === 'questions' ? (
        <>
          Ask more under <Link to="/explore">Explore</Link>.
        </>
      ) : (
        <>
          Make more with the <Link to="/cards/new">builder of cards</Link>.
        </>
      )}
    </p>
  );
}
