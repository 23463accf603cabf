/** Who looks. Where the server asks for it, a browser signs in on a page of its own; its cookie is out of reach of scripts. */
export const SIGN_IN = '/sign-in.html';
export const UNKNOWN = 401;
const SESSION = '/api/v1/session';

/** Shows the button for signing out to who has signed in. */
export async function session(button) {
  button.addEventListener('click', async () => {
    await fetch(SESSION, { method: 'DELETE' });
    location.replace(SIGN_IN);
  });
  try {
    const answer = await fetch(SESSION, { cache: 'no-store' });
    const { user, signedIn } = answer.ok ? await answer.json() : {};
    button.hidden = !signedIn;
    button.title = user ? `Signed in as ${user}` : '';
  } catch {
    button.hidden = true;
  }
}
