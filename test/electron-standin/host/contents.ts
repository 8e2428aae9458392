import { fromPageUrl, originOf, toPageUrl } from "./address.ts";
import type { Browser, Target } from "./browser.ts";
import { Emitter } from "./emitter.ts";
import { hub, type PortHost } from "./hub.ts";
import { ipcMain } from "./ipcMain.ts";
import { linkPage, type PageLink } from "./link.ts";
import { passOn, portTo } from "./mainPorts.ts";
import type { FromPage } from "./messages.ts";
import type { MessagePortMain } from "./port.ts";
import { decidePermissions } from "./permissions.ts";
import { answerRequest, type PausedRequest } from "./requests.ts";
import { settings } from "./settings.ts";

/** Size of a window of Electron that was not given any, in pixels. */
const SIZE_OF_OPENED = { width: 800, height: 600 };

type WindowOpenHandler = (details: { readonly url: string }) => { readonly action: "allow" | "deny" };

/** The maximum time until the event of a reload requested by the page. */
const RELOAD_EVENT_MS = 100;

class Frame {
  readonly #urlNow: () => string;

  constructor(urlNow: () => string) {
    this.#urlNow = urlNow;
  }

  get url(): string {
    return this.#urlNow();
  }

  get origin(): string {
    return originOf(this.#urlNow());
  }
}

/** The clipboard of the simulated desktop. */
export const clipboardText = { current: "" };

let lastId = 0;
const all = new Map<number, WebContents>();

export class WebContents extends Emitter {
  readonly id = ++lastId;
  readonly preferences: Readonly<Record<string, unknown>>;
  /** The same object during the life of the page, because senders of messages are identified by comparing it. */
  readonly mainFrame: Frame;
  readonly #portHost: PortHost;
  readonly #opened: Promise<Target>;
  readonly #browser: () => Browser;
  #link: PageLink | null = null;
  #target: Target | null = null;
  #url = "";
  /** The address loaded by the application, which needs no navigation events. */
  #loading: string | null = null;
  #wantsReload = false;
  #openHandler: WindowOpenHandler | null = null;
  #isDestroyed = false;
  #isKilled = false;

  constructor(opened: Promise<Target>, preferences: Readonly<Record<string, unknown>>, browser: () => Browser) {
    super();
    this.preferences = preferences;
    this.#browser = browser;
    this.mainFrame = new Frame(() => this.#url);
    this.#portHost = {
      deliver: (id, data) => this.#link?.send({ t: "port", id, data }),
      closed: (id) => this.#link?.send({ t: "close", id }),
    };
    this.#opened = opened.then(async (target) => {
      await this.#attach(target);
      return target;
    });
    all.set(this.id, this);
  }

  static getAllWebContents(): WebContents[] {
    return [...all.values()];
  }

  /** The page in Chromium. */
  get targetId(): string | null {
    return this.#target?.targetId ?? null;
  }

  getURL(): string {
    return this.#url;
  }

  isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  setWindowOpenHandler(handler: WindowOpenHandler): void {
    this.#openHandler = handler;
  }

  getLastWebPreferences(): Readonly<Record<string, unknown>> {
    return this.preferences;
  }

  send(channel: string, ...args: unknown[]): void {
    this.#link?.send({ t: "ipc", channel, args, ports: [] });
  }

  postMessage(channel: string, message: unknown, transfer: readonly MessagePortMain[] = []): void {
    passOn(transfer, this.#portHost, (ports) => this.#link?.send({ t: "ipc", channel, args: [message], ports }));
  }

  async loadURL(url: string): Promise<void> {
    const { session } = await this.#opened;
    await decidePermissions(url, this.#browser().cdp.browser);
    this.#loading = toPageUrl(url);
    const loaded = new Promise((resolve) => this.once("did-finish-load", resolve));
    const { errorText } = await session.send("Page.navigate", { url: toPageUrl(url) });
    if (errorText !== undefined) throw new Error(`${errorText} loading '${url}'`);
    await loaded;
  }

  reload(): void {
    const again = (): void => {
      this.#loading = toPageUrl(this.#url);
      void this.#opened.then(({ session }) => session.send("Page.reload"));
    };
    // In a new process, after the killed one has ended.
    if (this.#isKilled) this.once("render-process-gone", () => setImmediate(again));
    else again();
  }

  async executeJavaScript(expression: string): Promise<unknown> {
    const { session } = await this.#opened;
    const { result } = await session.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    return result.value;
  }

  async paste(): Promise<void> {
    const { session } = await this.#opened;
    await session.send("Input.insertText", { text: clipboardText.current });
  }

  async emulate(features: { name: string; value: string }[]): Promise<void> {
    const { session } = await this.#opened;
    await session.send("Emulation.setEmulatedMedia", { features });
  }

  /** Crashes the process of the page. */
  async crash(): Promise<void> {
    const { session } = await this.#opened;
    // There will be no response.
    void session.send("Page.crash").catch(() => {});
  }

  forcefullyCrashRenderer(): void {
    this.#isKilled = true;
    void this.crash();
  }

  async closePage(): Promise<void> {
    const { targetId } = await this.#opened;
    await this.#browser()
      .cdp.browser.send("Target.closeTarget", { targetId })
      .catch(() => {});
  }

  /** Cleans up after the page was closed. */
  destroyed(): void {
    this.#isDestroyed = true;
    all.delete(this.id);
    hub.closeAll(this.#portHost);
    this.emit("destroyed");
  }

  async #attach(target: Target): Promise<void> {
    const { session } = target;
    this.#target = target;
    session.on<PausedRequest>("Fetch.requestPaused", (paused) => {
      // The page may be closed before the response to its request.
      this.#request(target, paused).catch(() => {});
    });
    session.on<{ frameId: string; url: string }>("Page.frameRequestedNavigation", ({ frameId, url }) => {
      if (frameId === target.targetId) this.#wantsReload = url === toPageUrl(this.#url);
    });
    session.on<{ frame: { parentId?: string; url: string } }>("Page.frameNavigated", ({ frame }) => {
      if (frame.parentId === undefined) this.#arrived(frame.url);
    });
    session.on<{ frameId: string; url: string }>("Page.navigatedWithinDocument", ({ frameId, url }) => {
      if (frameId === target.targetId) this.#url = fromPageUrl(url);
    });
    session.on("Page.loadEventFired", () => {
      if (settings.readyToShow !== "stuck") this.emit("did-finish-load", {});
    });
    session.on<{ url: string }>("Page.windowOpen", ({ url }) => void this.#windowRequested(url).catch(() => {}));
    session.on("Inspector.targetCrashed", () => this.#crashed());
    const link = linkPage(session, this.preferences["preload"] as string | undefined, (message) =>
      this.#receive(message),
    );
    await Promise.all([
      link,
      session.send("Page.enable"),
      session.send("Inspector.enable"),
      session.send("Fetch.enable", { patterns: [{ urlPattern: "*" }] }),
      session.send("Runtime.runIfWaitingForDebugger"),
    ]);
    this.#link = await link;
  }

  /** The browser opens no windows for pages, so that a window that the handler allows is opened here. */
  async #windowRequested(pageUrl: string): Promise<void> {
    const url = fromPageUrl(pageUrl);
    const action = this.#openHandler?.({ url }).action ?? "allow";
    if (action === "deny") return;
    const { session } = await this.#browser().open(SIZE_OF_OPENED.width, SIZE_OF_OPENED.height);
    await session.send("Runtime.runIfWaitingForDebugger");
    await session.send("Page.navigate", { url: pageUrl });
  }

  #arrived(pageUrl: string): void {
    this.#url = fromPageUrl(pageUrl);
    this.#loading = null;
    this.emit("did-navigate", {}, this.#url);
  }

  #crashed(): void {
    hub.closeAll(this.#portHost);
    this.emit("render-process-gone", {}, { reason: this.#isKilled ? "killed" : "crashed", exitCode: 5 });
    this.#isKilled = false;
  }

  async #request(target: Target, paused: PausedRequest): Promise<void> {
    const isNavigation = paused.resourceType === "Document" && paused.request.url !== this.#loading;
    if (isNavigation && (await this.#isPrevented(target, paused)))
      await target.session.send("Fetch.failRequest", { requestId: paused.requestId, errorReason: "Aborted" });
    else await answerRequest(target.session, paused);
  }

  async #isPrevented(target: Target, { frameId, request, redirectedRequestId }: PausedRequest): Promise<boolean> {
    const isMainFrame = frameId === target.targetId;
    const details = { url: fromPageUrl(request.url), isMainFrame, isSameDocument: false };
    if (redirectedRequestId !== undefined) return this.consult("will-redirect", details);
    // Tests reload pages through the debugger. As in Electron, only navigations by the page emit events.
    const isReload = isMainFrame && request.url === toPageUrl(this.#url);
    if (isReload && !(await this.#requestedReload())) return false;
    const isStopped = this.consult("will-frame-navigate", details);
    return (isMainFrame && this.consult("will-navigate", details)) || isStopped;
  }

  async #requestedReload(): Promise<boolean> {
    const endMs = Date.now() + RELOAD_EVENT_MS;
    while (!this.#wantsReload && Date.now() < endMs) await new Promise((resolve) => setTimeout(resolve, 5));
    const wasRequested = this.#wantsReload;
    this.#wantsReload = false;
    return wasRequested;
  }

  async #answer(id: number, channel: string, args: readonly unknown[]): Promise<void> {
    const answer = await ipcMain.answer(this, channel, args);
    this.#link?.send({ t: "reply", id, ...answer });
  }

  #receive(message: FromPage): void {
    switch (message.t) {
      case "hello":
        // A new document: the ports of the previous one are closed.
        hub.closeAll(this.#portHost);
        this.#url = fromPageUrl(message.url);
        return;
      case "send": {
        const ports = message.ports.map(([there, here]) => portTo(this.#portHost, there, here));
        ipcMain.receive(this, message.channel, message.args, ports);
        return;
      }
      case "context-menu":
        this.emit("context-menu", {}, message.place);
        return;
      case "invoke":
        void this.#answer(message.id, message.channel, message.args);
        return;
      case "port":
        hub.post(message.id, message.data);
        return;
      case "close":
        hub.close(message.id);
    }
  }
}
