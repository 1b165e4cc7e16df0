import { type FormEvent, type MouseEvent, useRef, useState } from 'react';
import { addressOf, go, type Place, place } from './place.js';
import { account, signIn, signOut } from './session.js';
import { useObserved } from './use-observed.js';

const PAGES: readonly (readonly [string, Place])[] = [
  ['Reports', { view: 'reports' }],
  ['Board', { view: 'board' }],
  ['Code', { view: 'code' }],
];

/** Follows a link within the page; in a new tab or window, as the browser does. */
function follow(event: MouseEvent, to: Place): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  go(to);
}

/** The parts of the page, who is signed in, and the way to sign in and out. */
export function AccountBar() {
  const who = useObserved(account);
  const { view } = useObserved(place);
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <header className="care-bar">
      <h1>Care: reports</h1>
      <nav aria-label="Pages">
        {PAGES.map(([name, to]) => (
          <a
            key={name}
            href={addressOf(to)}
            aria-current={to.view === view ? 'page' : undefined}
            onClick={(event) => follow(event, to)}
          >
            {name}
          </a>
        ))}
        <a href="/graphql/rest">From REST</a>
      </nav>
      <div className="care-account">
        {who ? (
          <>
            <span>
              {who.username} <small>{who.roles.join(', ').toLowerCase()}</small>
            </span>
            <button type="button" onClick={() => signOut()}>
              Sign out
            </button>
          </>
        ) : (
          <button type="button" onClick={() => dialog.current?.showModal()}>
            Sign in
          </button>
        )}
      </div>
      <SignIn dialog={dialog} />
    </header>
  );
}

function SignIn({ dialog }: { readonly dialog: React.RefObject<HTMLDialogElement | null> }) {
  const [wrong, setWrong] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    setBusy(true);
    try {
      await signIn(String(fields.get('username')), String(fields.get('password')));
      setWrong('');
      form.reset();
      dialog.current?.close();
    } catch (error) {
      setWrong((error as Error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <dialog ref={dialog} className="care-dialog" aria-labelledby="care-sign-in">
      <form onSubmit={submit}>
        <h2 id="care-sign-in">Sign in</h2>
        <label>
          User name or e-mail
          <input name="username" autoComplete="username" required />
        </label>
        <label>
          Password
          <input name="password" type="password" autoComplete="current-password" required />
        </label>
        <p role="alert" className="care-wrong">
          {wrong}
        </p>
        <div className="care-buttons">
          <button type="submit" className="care-first" disabled={isBusy}>
            Sign in
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
        </div>
        <p className="care-hint">
          The session is shared by the tabs of this page, and ends with the last of them.
        </p>
      </form>
    </dialog>
  );
}
