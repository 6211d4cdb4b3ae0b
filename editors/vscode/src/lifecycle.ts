/**
 * The life of the server: starts, stops and what must happen between them follow each other in one chain, whoever asks
 * and however often, so that there is never a second server and never one that nobody knows. Pure.
 */

export interface Server {
  /** Resolves when the server answers; rejects where it does not start. */
  start(): Promise<void>;
  /** Ends it, by force where it must; rejects with what went wrong on the way. */
  stop(): Promise<void>;
}

export interface LifecycleHost<S> {
  /** Finds and makes the server; undefined where there is none, which the host has told the user then. */
  open(): Promise<S | undefined>;
  /** The server does not start. */
  failed(error: unknown): void;
  /** The server did not end as it should; another may start all the same. */
  troubled(error: unknown): void;
}

export class Lifecycle<S extends Server> {
  private readonly host: LifecycleHost<S>;
  private chain: Promise<unknown> = Promise.resolve();
  /** The start that later ones wait for. It stays when it failed: only `stop` or `restart` lets another try. */
  private started: Promise<void> | undefined;
  private server: S | undefined;

  constructor(host: LifecycleHost<S>) {
    this.host = host;
  }

  /** The server that runs or starts. */
  get current(): S | undefined {
    return this.server;
  }

  /** Starts the server once; later calls wait for the same start. Never rejects. */
  start(): Promise<void> {
    if (this.started === undefined) {
      const own: Promise<void> = this.next(async () => {
        // A stop that was asked for before this start's turn came has made it pointless.
        if (this.started === own) await this.begin();
      });
      this.started = own;
    }
    return this.started;
  }

  /** Ends the server, after its start where it still starts. Never rejects. */
  stop(): Promise<void> {
    this.started = undefined;
    return this.next(() => this.end());
  }

  /** Ends the server, does `work` while there is none, and starts it again whatever became of the work. Rejects with the work's error. */
  async restart(work?: () => Promise<void>): Promise<void> {
    const worked = [this.stop()];
    if (work !== undefined) worked.push(this.next(work));
    const results = await Promise.allSettled([...worked, this.start()]);
    for (const result of results) if (result.status === "rejected") throw result.reason;
  }

  private next(step: () => Promise<void>): Promise<void> {
    const done = this.chain.then(step);
    this.chain = done.catch(() => undefined);
    return done;
  }

  private async begin(): Promise<void> {
    try {
      this.server = await this.host.open();
      await this.server?.start();
    } catch (error) {
      // What did not start may have left a process.
      await this.end();
      this.host.failed(error);
    }
  }

  private async end(): Promise<void> {
    const server = this.server;
    this.server = undefined;
    try {
      await server?.stop();
    } catch (error) {
      this.host.troubled(error);
    }
  }
}
