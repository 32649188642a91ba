// The stories of the desk: the samples, and the published stories that can be followed up.

import { randomName } from "./dom.js";
import { store, stored } from "./memory.js";
import { samples } from "./samples.js";

const storageKey = "newsflash.stories";
const keptAtMost = 12;
const order = ["update", "correction", "kill"];

/** The published stories, with their texts and categories. */
export class Stories {
    list = stored("sessionStorage", storageKey);

    find(story) {
        return this.list.find((other) => other.story === story);
    }

    /** The first sample that is not published yet. */
    get nextSample() {
        return samples.find(({ name }) => this.list.every((story) => story.sample !== name)) ?? samples[0];
    }

    /** A name for a new story. */
    newName(sample) {
        return `urn:newsflash:console:${sample?.name ?? "story"}-${randomName(8)}`;
    }

    /** The next kind of event for a story. */
    nextKind({ kinds }) {
        return order.find((kind) => !kinds.includes(kind)) ?? "update";
    }

    /** Records a published event. */
    note({ story, revision, kind, categories, texts, sample, headline }) {
        const known = this.find(story);
        const kinds = [...(known?.kinds ?? []), kind];
        const name = sample?.name ?? known?.sample ?? null;
        const isOver = kind === "kill";
        const said = { story, revision, kinds, categories, texts, sample: name, headline, isOver };
        this.list = [said, ...this.list.filter((other) => other.story !== story)].slice(0, keptAtMost);
        store("sessionStorage", storageKey, this.list);
    }
}
