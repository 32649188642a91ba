"""The prerequisites of each page: what runs, which faults are produced, what is not run and why. Part of .ci/guides."""

import dataclasses

from guide_shell import ADMINISTRATOR, GATEWAY, OPERATOR, WORKER


@dataclasses.dataclass
class Plan:
    """The prerequisites of a page."""

    hub: bool = True                  # whether a hub runs
    workers: int = 2                  # the number of running workers; their topics exist
    before: tuple[str, ...] = ()      # commands to run before those of the page
    # Further commands to run before the n-th step of the page, counted from 1: a command, or a block with output or
    # configuration. `stop COMMAND` stops the running commands that begin so; one that ends with ` &` is not waited for.
    then: dict[int, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    stops: str = "^$"                 # pattern of a command before which the workers are stopped, as on the page
    # The exit code of commands, if not 0, by the number of the step or by a pattern of the command.
    exits: dict[int | str, int] = dataclasses.field(default_factory=dict)
    elsewhere: dict[str, str] = dataclasses.field(default_factory=dict)  # pattern of a command that is not run: the reason
    # Whether the output on the page is a sample: figures differ, and long lines are continued on the next line.
    samples: bool = False
    has_volume_limits: bool = False   # whether the worker needs the rights for policy.volumeLimits
    only_with_users: bool = False     # whether the page needs a broker with users
    uses_kafka: bool = True           # whether the page needs rights; otherwise it is not run with users


def publish(kind: str, story: str, headline: str, category: str = "world") -> str:
    return f"newsflash publish --kind {kind} --story {story} --category {category} --headline en='{headline}'"


def publish_many(count: int) -> str:
    """Publishes alerts of as many stories at once."""
    event = (
        '{"v":1,"id":"many-&","source":"https://cms.example.org/desk","story":"urn:desk:many-&","revision":1,"kind":"alert",'
        '"published":"\'$(date -u +%FT%TZ)\'","categories":["world"],"text":{"en":{"headline":"Storm &"}}}'
    )
    return f"seq {count} | sed 's|.*|{event}|' | newsflash publish -"


def faults(json: str) -> str:
    """A command that sets the faults of the hub."""
    return f"curl -sf -X PUT http://127.0.0.1:8080/_emulator/faults -H 'Content-Type: application/json' -d '{json}'"


def hub_key(name: str, key: str) -> str:
    """A command that changes the connection string of the workers."""
    text = f"Endpoint=http://127.0.0.1:8080/;SharedAccessKeyName={name};SharedAccessKey={key};UseDevelopmentEmulator=true"
    return f"echo '{text}' > /run/secrets/hub-connection-string"


RUN = "newsflash run --config newsflash.yaml"
HUB = (
    "newsflash hub --listen 127.0.0.1:8080 --rule 'worker=Zm9yLXRyeWluZw==:Send' --rule 'app=Zm9yLXRoZS1hcHA=:Listen'"
    " --rule 'console=Zm9yLXRoZS1jb25zb2xl:Listen,Send,Manage'"
)
GOOD_KEY, BAD_KEY = hub_key("worker", "Zm9yLXRyeWluZw=="), hub_key("worker", "d3Jvbmc=")
READY = "until curl -sf http://127.0.0.1:9464/readyz; do sleep 0.1; done"
CREATE = "newsflash topics apply --yes --config newsflash.yaml"
GARBAGE = "echo -n 'garbage:\"other\"' | kcat -b 127.0.0.1:9092 -P -K: -t newsflash.newsroom.breaking.v1.ledger -p 2"
USER_OF_GATEWAY = "openssl rand -base64 18 | tee anna-password | newsflash gateway user --users users anna"
RUN_GATEWAY = (
    "newsflash gateway --config newsflash.yaml --users users --listen 127.0.0.1:8090 --admin-listen 127.0.0.1:9465"
)
REGISTER = "http://127.0.0.1:8090/api/register?handle=A0B1C2D3"

GUIDES = {
    # First, because the other pages need the rights.
    "kafka-rights": Plan(hub=False, workers=0, only_with_users=True),
    "feeds": Plan(workers=0, uses_kafka=False, before=(
        # Required by `readers: own`.
        "sed -i 's/tags: \"{category}\"/tags: \"{category}.{locale}\"/' newsflash.yaml",
    )),
    "cms-in-ninjs": Plan(exits={"^sed .*explain": 1}),
    "a-wrong-alert": Plan(before=(
        publish("alert", "urn:desk:2", "Bridge open"),
        publish("alert", "urn:desk:1", "Bridge closed"),
        publish("flash", "urn:desk:wrong", "Bridge has fallen"),
    ), exits={"withdraw .*urn:desk:1 ": 1, "newsflash status": 1}),
    "rehearsing": Plan(before=(
        publish("flash", "urn:desk:1", "Bridge closed"),
        publish("alert", "urn:desk:2", "Cup final off", "sports"),
        publish("alert", "urn:desk:3", "Storm over the coast"),
    ), exits={"replay .* 1d$": 1}),
    "a-hub-outage": Plan(workers=1, before=(
        publish("alert", "urn:desk:1", "Bridge closed"),
        "newsflash capture --since 1d > yesterday.ndjson",
        faults('[{"status":503}]'),
        *(publish("alert", f"urn:desk:2{n}", "Storm") for n in range(3)),
    ), exits={"newsflash status": 1}),
    "first-hub": Plan(hub=False, workers=0, uses_kafka=False),
    "app-developer": Plan(hub=False, workers=0, uses_kafka=False),
    "firebase-installation-ids": Plan(hub=False, workers=0, uses_kafka=False),
    "first-topic": Plan(hub=False, workers=0, before=(
        "newsflash hub --listen 127.0.0.1:8080 --rule 'worker=Zm9yLXRyeWluZw==:Send'",
    )),
    "hub-emulator": Plan(hub=False, workers=0, uses_kafka=False),
    "scaling": Plan(workers=1, stops="topics plan", exits={"topics plan .* 12$": 1}),
    "upgrading-kafka": Plan(hub=False, workers=0, before=("newsflash topics apply --yes",)),
    "README": Plan(hub=False, workers=0, uses_kafka=False),
    "bad-night": Plan(hub=False, workers=0, uses_kafka=False),
    # Last, because nobody takes the rights for its volume limit away again.
    "going-live": Plan(before=(publish("alert", "urn:desk:1", "Bridge closed"),), has_volume_limits=True),
}

RUNBOOKS = {
    "README": Plan(workers=1),
    "NewsflashAbsent": Plan(workers=1, before=(
        publish("alert", "urn:desk:1", "Bridge closed"),
    ), then={1: ("stop newsflash run",), 3: (RUN,)}, exits={"newsflash status$": 69}),
    "NewsflashCanaryDropped": Plan(workers=1, before=(
        publish("alert", "urn:desk:1", "Bridge closed"),
        "cp newsflash.yaml old.yaml",
        "sed -i 's/^  World: .world, /  World: [/' newsflash.yaml",
        "newsflash reload --reason 'new words' --by someone",
    ), then={
        3: (
            publish("flash", "urn:desk:1", "Bridge closed"),
            publish("alert", "urn:desk:2", "Cup final off", "sports"),
            "sed -e 's/Breaking:/Flash:/' -e '/^  Sports:/d' old.yaml > new.yaml",
        ),
        4: (
            *(publish("flash", f"urn:desk:3{n}", "Bridge closed") for n in range(2)),
            "sed -e 's/Breaking:/Flash:/' old.yaml > newsflash.yaml",
        ),
    }, exits={"replay": 1}),
    "NewsflashCircuitOpen": Plan(hub=False, workers=0, before=(
        HUB, BAD_KEY, CREATE, RUN, publish("alert", "urn:desk:1", "Bridge closed"),
    ), then={
        2: (GOOD_KEY, READY, "stop newsflash hub", publish("alert", "urn:desk:2", "Bridge closed")),
        3: (HUB, faults('[{"status":400}]'), publish_many(25)),
        4: ("stop newsflash hub", publish("alert", "urn:desk:4", "Storm")),
        5: (HUB, BAD_KEY),
        6: (hub_key("app", "Zm9yLXRoZS1hcHA="), "newsflash check --config newsflash.yaml || true", GOOD_KEY),
    }, exits={"newsflash status": 1, "newsflash check": 1}),
    "NewsflashDeadLetters": Plan(workers=1, before=(
        *(publish("alert", f"urn:desk:u{n}", "Snow", "weather") + f" --event u{n}" for n in (2, 3, 4, 1)),
        *("echo -n '{\"v\": 1, \"story\"' | newsflash publish --raw --key urn:desk:x -" for _ in range(2)),
    ), then={
        3: ("sed -i 's/^  World: \\[/&weather, /' newsflash.yaml", "newsflash reload --reason 'category added' --untested"),
    }, exits={"redrive .* 2h$": 1}),
    "NewsflashFlashSlow": Plan(workers=1, before=(publish("flash", "urn:desk:wrong", "Bridge has fallen"),)),
    "NewsflashGatewayDown": Plan(workers=0, before=(CREATE, USER_OF_GATEWAY, RUN_GATEWAY)),
    "NewsflashGatewayFailing": Plan(workers=0, before=(
        CREATE, USER_OF_GATEWAY, RUN_GATEWAY, "stop newsflash hub",
        *(f"curl -s -u \"anna:$(cat anna-password)\" -X POST '{REGISTER}'" for _ in range(3)),
    )),
    "NewsflashLagging": Plan(workers=1, before=(
        faults('[{"status":503}]'), publish_many(6),
    )),
    "NewsflashNotReady": Plan(workers=0, before=(
        CREATE, f"NEWSFLASH_KAFKA_BOOTSTRAP_SERVERS=127.0.0.1:1 {RUN} &",
    ), then={
        2: (
            "stop NEWSFLASH_KAFKA",
            GARBAGE, f"{RUN} &",
        ),
        3: ("stop newsflash run", "export NEWSFLASH_KAFKA_BOOTSTRAP_SERVERS=127.0.0.1:1"),
        4: (
            "unset NEWSFLASH_KAFKA_BOOTSTRAP_SERVERS",
            "kafka-topics.sh --bootstrap-server 127.0.0.1:9092 --delete --topic 'news.*'",
        ),
    }, exits={3: 69, 4: 1}),
    "NewsflashOldestOpen": Plan(workers=1, before=(
        "stop newsflash hub", publish("alert", "urn:desk:1", "Bridge closed"),
    )),
    "NewsflashPartitionStuck": Plan(workers=0, before=(
        CREATE, *(publish("alert", "urn:desk:1", "Bridge closed") for _ in range(3)),
        # The page's record has offset 10.
        "seq 10 | sed 's/$/:/' | kcat -b 127.0.0.1:9092 -P -Z -K: -t newsflash.newsroom.breaking.v1.ledger -p 2",
        GARBAGE, f"{RUN} &",
    ), then={
        7: ("stop newsflash run", f"NEWSFLASH_LEDGER_DAMAGED=ignore {RUN}"),
    }, exits={"newsflash status": 1, "newsflash outcomes": 1}, elsewhere={
        "status --group": "NOT WELL comes after five minutes; StatusCommandTests",
    }),
    "NewsflashPartitionUnread": Plan(workers=1, before=(publish_many(20),)),
    "NewsflashSourcePaused": Plan(before=(
        "newsflash pause --source desk --by ed:novak --reason 'wrong alert, we look at it'",
    )),
    "NewsflashThrottled": Plan(workers=1, before=(
        faults('[{"status":429,"retryAfter":60}]'), publish("alert", "urn:desk:1", "Bridge closed"),
    ), exits={"newsflash status": 1}),
    "NewsflashUnknownOutcomes": Plan(workers=0, before=(
        CREATE, f"NEWSFLASH_DELIVERY_RETRY_CAP=250ms {RUN}",
        faults('[{"cut":"after","containing":"Bridge closed"}]'),
        publish("alert", "urn:desk:j", "Bridge closed") + " --event cli-1795424509283959",
    )),
    "NewsflashUnconfirmed": Plan(hub=False, workers=0, elsewhere={
        "newsflash status|kafka-topics|No space left": "needs half a minute without confirmations; BrokerFailuresTests",
    }),
}

# Pages without a plan, and why.
ELSEWHERE = {
    "guides/app-back-end": ".ci/walk runs it",
    "guides/configuration": "has no commands; ConfigurationTests generates it",
    "guides/key-rotation": "needs a hub whose keys are rolled, and a group of users",
    "guides/libraries": "is about Swift; .ci/consumer and .ci/check-subscriptions use the libraries",
    "guides/live-activities": "has no commands",
    "runbooks/NewsflashDown": "has no fenced commands",
    "runbooks/NewsflashLedgerRepairs": "has no fenced commands",
    "runbooks/NewsflashLogDropped": "has no fenced commands",
    "runbooks/NewsflashRecordsLost": "has no fenced commands",
}

PLANS: dict[str, Plan] = {
    **{f"guides/{name}": plan for name, plan in GUIDES.items() if not plan.has_volume_limits},
    **{f"runbooks/{name}": dataclasses.replace(plan, samples=True) for name, plan in RUNBOOKS.items()},
    **{f"guides/{name}": plan for name, plan in GUIDES.items() if plan.has_volume_limits},
    "README": Plan(hub=False, workers=0, uses_kafka=False, elsewhere={
        "CMS, agency feed": "a picture",
        "apt-get": ".ci/run installs the packages of this line",
        "newsflash demo": ".ci/run runs it",
        "swift test": ".ci/run runs it, as .ci/test",
    }),
}

# Commands that another user than the operator runs, on a broker with users: pattern, user, reason.
OTHER_USERS = (
    (r"newsflash run\b", WORKER, "the worker"),
    (r"newsflash check\b", WORKER, "tests the rights of the worker"),
    (r"kcat .* -P .*ledger", WORKER, "the operator may not write to the ledger"),
    (r"newsflash gateway\b", GATEWAY, "the gateway"),
    (r"newsflash topics apply\b", ADMINISTRATOR, "creates and changes topics"),
    (r"acls\b", ADMINISTRATOR, "gives rights"),
    (r"kafka-topics.sh .*--delete", ADMINISTRATOR, "deletes topics"),
)

SOURCE, LEDGER, CONTROL = "newsroom.breaking.v1", "newsflash.newsroom.breaking.v1.ledger", "newsflash.control"
OUTCOMES, DEAD_LETTERS = "newsflash.outcomes.v1", "newsflash.dead-letters.v1"
# Rights that are taken away after all pages: user, right, topics; and the commands that then fail, each with words of its
# message, which name the topic and the right.
TAKEN_AWAY = (
    (OPERATOR, "Write", (SOURCE, CONTROL), (
        (publish("alert", "urn:desk:1", "Bridge closed"), SOURCE, "right Write"),
        ("newsflash pause --source desk", CONTROL, "right Write"),
        ("newsflash reload", CONTROL, "right Write"),
    )),
    (OPERATOR, "Read", (SOURCE, LEDGER, CONTROL, OUTCOMES, DEAD_LETTERS), (
        ("newsflash tap --since 1m", OUTCOMES, "right Read"),
        ("newsflash outcomes --event x", OUTCOMES, "right Read"),
        ("newsflash pauses", CONTROL, "right Read"),
        ("newsflash capture --since 1h", SOURCE, "right Read"),
        ("newsflash replay --since 1h", SOURCE, "right Read"),
        ("newsflash dead-letters list", DEAD_LETTERS, "right Read"),
        ("newsflash withdraw --story urn:desk:1", LEDGER, "right Read"),
    )),
    (WORKER, "Write", (LEDGER, OUTCOMES, DEAD_LETTERS), (
        ("newsflash check", f"the right Write on the topic {LEDGER}", f"{OUTCOMES}, {DEAD_LETTERS}: is missing, or our user may not see it"),
    )),
    (WORKER, "Read --group newsflash", (SOURCE, CONTROL), (
        ("newsflash check", "the right Read on the group newsflash", f"topic {SOURCE}, ", ": is missing, or our user may not see it"),
    )),
)

# With several sources or groups, the commands of kafka-rights.md repeat --topic and --group for these names of other pages.
FURTHER_NAMES = {
    "newsroom.breaking.v1": ("cms.ninjs.v1", "newsroom.training.v1"),
    "newsflash.newsroom.breaking.v1.ledger": (
        "newsflash.cms.ninjs.v1.ledger", "newsflash.newsroom.training.v1.ledger",
        "newsflash-shadow.newsroom.breaking.v1.ledger",
    ),
    "newsflash.control": ("newsflash-shadow.control",),
    "newsflash.outcomes.v1": ("newsflash-shadow.outcomes.v1",),
    "newsflash.dead-letters.v1": ("newsflash-shadow.dead-letters.v1",),
    "newsflash": ("newsflash-shadow",),
}
