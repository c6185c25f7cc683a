const LOCAL = 'http://127.0.0.1:3000';

/** Replaces the form on plain http: browsers omit Sec-Fetch-Site there, which the session needs (docs/portal.md). */
export function InsecureAddress() {
  const { origin, hostname, port, pathname, search, hash } = window.location;
  const host = hostname.replace(/^\[|\]$/g, '');
  return (
    <>
      <p>
        This page works over https, or on the server’s own computer. At <code>{origin}</code> your password would cross
        the network unencrypted, and browsers do not send the header that the server needs to accept a session.
      </p>
      <h2>What you can do</h2>
      <ul className="bullets">
        <li>
          Give the server a certificate: <code>agent-runtime serve --tls-cert FILE --tls-key FILE</code>.
        </li>
        <li>Put a proxy that speaks https in front of it, Caddy or nginx for example.</li>
        <li>
          Reach it through SSH: run <code>{`ssh -L 3000:127.0.0.1:${port || '80'} ${host}`}</code> on this computer,
          then open <a href={`${LOCAL}${pathname}${search}${hash}`}>{LOCAL}</a>.
        </li>
      </ul>
      <p className="muted small">
        See <code>docs/operation.md#tls</code>.
      </p>
    </>
  );
}
