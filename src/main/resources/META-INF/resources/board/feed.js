import { SIGN_IN, UNKNOWN } from './session.js';

/**
 * Keeps a model up to date. The feed fetches the whole document once and then receives changes as server-sent events. It reconnects a lost
 * connection after pauses that grow up to half a minute. The time is the server's: each beat sets it, and it advances at the server's speed
 * in between.
 */
const DOCUMENT = '/api/v1/board';
const EVENTS = '/api/v1/board/events';
const SILENCE = 35_000;
const LONGEST_PAUSE = 30_000;
const BETWEEN_FETCHES = 1_000;

/** The server's message about a missing document; null if there is none. */
const said = answer => answer.json().then(({ message }) => message, () => null);

export class Feed {
  #model;
  #tell;
  #source = null;
  #pause = 1_000;
  #timer = 0;
  #silence = 0;
  #clock = { millis: 0, speed: 1, at: 0 };
  #fetching = null;
  #fetched = -Infinity;

  /** `tell` is called with `data` after every change of the model and with `link` after every change of the connection. */
  constructor(model, tell) {
    this.#model = model;
    this.#tell = tell;
    this.link = { state: 'connecting', since: null, next: null };
  }

  get speed() {
    return this.#clock.speed;
  }

  /** The server's time in seconds since the epoch, with a fraction. */
  now() {
    return (this.#clock.millis + (performance.now() - this.#clock.at) * Math.max(0, this.#clock.speed)) / 1000;
  }

  async start() {
    window.addEventListener('online', () => this.#again(0));
    window.addEventListener('offline', () => this.#lost('no network connection'));
    window.addEventListener('pagehide', () => this.#rest());
    window.addEventListener('pageshow', event => event.persisted && this.#connect());
    await this.#connect();
  }

  async #connect() {
    try {
      await this.#whole();
      this.#listen();
    } catch (problem) {
      this.#lost(problem.message);
    }
  }

  /** Fetches the document. Fetches do not overlap, and they begin at least a second apart. */
  #whole() {
    this.#fetching ??= (async () => {
      try {
        const wait = this.#fetched + BETWEEN_FETCHES - performance.now();
        if (wait > 0) {
          await new Promise(done => setTimeout(done, wait));
        }
        this.#fetched = performance.now();
        const answer = await fetch(DOCUMENT, { cache: 'no-store' });
        if (answer.status === UNKNOWN) {
          location.replace(SIGN_IN);
        }
        if (!answer.ok) {
          throw new Error((await said(answer)) ?? `the server answers ${answer.status}`);
        }
        const document = await answer.json();
        this.#notBefore(document);
        this.#model.replace(document);
        this.#tell('data');
      } finally {
        this.#fetching = null;
      }
    })();
    return this.#fetching;
  }

  #listen() {
    this.#source?.close();
    const source = new EventSource(`${EVENTS}?since=${encodeURIComponent(this.#model.version)}`);
    this.#source = source;
    source.addEventListener('beat', event => {
      const beat = JSON.parse(event.data);
      this.#tick(beat.now, beat.speed);
      this.#alive();
    });
    source.addEventListener('change', event => {
      const change = JSON.parse(event.data);
      this.#alive();
      this.#notBefore(change);
      if (this.#model.change(change)) {
        this.#tell('data');
      } else {
        this.#refetch();
      }
    });
    source.addEventListener('state', event => {
      this.#alive();
      if (JSON.parse(event.data).version !== this.#model.version) {
        this.#refetch();
      }
    });
    source.onerror = () => this.#lost('the connection broke');
    this.#watch();
  }

  #refetch() {
    this.#whole().catch(problem => this.#lost(problem.message));
  }

  #tick(millis, speed) {
    this.#clock = { millis, speed, at: performance.now() };
  }

  /** Advances the time to that of the newest edition, so that nothing shown lies in the future. */
  #notBefore({ now, speed = this.#clock.speed }) {
    if (now > this.now()) {
      this.#tick(now * 1000, speed);
    }
  }

  #alive() {
    this.#pause = 1_000;
    this.#watch();
    if (this.link.state !== 'live') {
      this.link = { state: 'live', since: null, next: null };
      this.#tell('link');
    }
  }

  #watch() {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#lost('no data arrives any more'), SILENCE);
  }

  #lost(why) {
    this.#source?.close();
    this.#source = null;
    clearTimeout(this.#silence);
    const since = this.link.state === 'lost' ? this.link.since : Date.now();
    this.link = { state: 'lost', since, why, next: Date.now() + this.#pause };
    this.#tell('link');
    this.#again(this.#pause);
    this.#pause = Math.min(LONGEST_PAUSE, this.#pause * 2);
  }

  /**
   * Closes the connection while the browser keeps the page for its Back button. A browser has six connections to a server, and kept pages
   * would use them up.
   */
  #rest() {
    this.#source?.close();
    this.#source = null;
    clearTimeout(this.#silence);
    clearTimeout(this.#timer);
  }

  #again(pause) {
    if (this.link.state === 'lost') {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#connect(), pause);
    }
  }
}
