#!/usr/bin/env bash
# The tasks of action.yml: action.sh check|report|comment|merge|monitor|build. They take what they have to know from the
# environment: CONTENT, and what the step in action.yml gives.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
shotpress() { node "$here/scripts/run.cjs" "$@"; }

# Where the action is named by its repository, nothing is installed yet, and the site may have no package.json: what the
# lockfile beside this file says is installed here.
install() {
  [[ -d $here/compiled || -d $here/node_modules ]] || npm ci --omit=dev --prefix "$here" --no-audit --no-fund >&2
}

# errors and warnings at their lines
check() {
  shotpress check --all --format github --content "$CONTENT"
}

# what the pull request brings, as data, as a page with pictures and in the job's summary; errors were told by the check
report() {
  shotpress report --base HEAD^1 --format json --content "$CONTENT" >report.json || [ $? = 1 ]
  shotpress report --base HEAD^1 --format html --content "$CONTENT" >report.html || [ $? = 1 ]
  shotpress report --base HEAD^1 --format markdown --content "$CONTENT" >>"$GITHUB_STEP_SUMMARY" || [ $? = 1 ]
}

# The pull request of a head into the main branch, its author's number, and who may not be merged, as the forge says.
find_pull() {
  local number
  number=$(gh api --method GET "repos/$GITHUB_REPOSITORY/pulls" -f state=open -f "head=$OWNER:$BRANCH" --jq '
    [.[] | select(.head.sha == env.SHA and .base.ref == .base.repo.default_branch) | .number][0] // empty')
  [[ -n $number ]] || return 0
  # whoever asks makes the forge merge anew, on trial, where the main branch has moved on
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    [[ $(gh api "repos/$GITHUB_REPOSITORY/pulls/$number" --jq .mergeable) = null ]] || break
    sleep 2
  done
  gh api "repos/$GITHUB_REPOSITORY/pulls/$number" --jq '"number=\(.number)\nauthor=\(.user.id)\nbranch=\(.base.ref)
held=\(.draft or any(.labels[]; .name == "hold"))"' >>"$GITHUB_OUTPUT"
}

# Whose change it is. The trial merge lies in the folder "judged" as data, and is judged by the code of the main branch
# against its first parent; nothing that the pull request's own run has made is believed.
judge() {
  if [[ $(git -C judged rev-parse HEAD^2) != "$SHA" ]]; then
    echo 'the merge is not that of this head: somebody has pushed since, or it has conflicts' >&2
  elif [[ $ACTOR != "$AUTHOR" ]]; then
    # a branch may lie in the fork of somebody else, who goes on pushing
    echo mixed
  else
    shotpress report --content "judged/$CONTENT" --out "$RUNNER_TEMP/none" --base HEAD^1 --author "$AUTHOR" \
      --format json >verdict.json || [ $? = 1 ]
    jq -r .verdict.kind verdict.json
  fi
}

# the verdict as a label
label() {
  local kind label
  kind=$(judge)
  [[ -n $kind ]] || return 0
  if [[ $kind = new ]]; then kind=new-member; fi
  for label in own new-member mixed; do
    [[ $label = "$kind" ]] ||
      gh api --method DELETE "repos/$GITHUB_REPOSITORY/issues/$PULL/labels/$label" --silent 2>/dev/null || true
  done
  # to make a label takes more rights than this has
  gh api --method POST "repos/$GITHUB_REPOSITORY/issues/$PULL/labels" -f "labels[]=$kind" --silent ||
    echo "::warning::No label was set. Make them once: gh label create own, then new-member and mixed"
}

# Merges what was judged, or nothing: the head is pinned, and the main branch has to be where the judge saw it.
merge() {
  local kind from tip merged
  kind=$(judge)
  if [[ $HELD = true || -z $kind || " $MERGE " != *" $kind "* ]]; then
    echo "nothing is merged: the verdict is ${kind:-none}, and $MERGE is merged where no draft and no label \"hold\" is in the way"
    return
  fi
  from=$(git -C judged rev-parse HEAD^1)
  tip=$(gh api "repos/$GITHUB_REPOSITORY/git/ref/heads/$BASE" --jq .object.sha)
  if [[ $tip != "$from" ]]; then
    echo "nothing is merged: $BASE was $from when this was judged, and is $tip now"
    return
  fi
  # squashed: what the branch held in between, and what its author wrote in messages, stays out of the history
  merged=$(gh api --method PUT "repos/$GITHUB_REPOSITORY/pulls/$PULL/merge" --jq .sha -f "sha=$SHA" -f merge_method=squash \
    -f "commit_title=$(jq -r '.verdict.members | join(", ")[0:50]' verdict.json) (#$PULL)" \
    -f "commit_message=By account $AUTHOR, merged as $kind") || {
    echo '::notice::nothing is merged: the forge refuses, as where somebody has pushed since'
    return
  }
  # what a workflow merges starts no other one
  [[ -z $PUBLISH ]] || gh workflow run "$PUBLISH" --ref "$BASE"
  # somebody else may have merged in the same second
  tip=$(gh api "repos/$GITHUB_REPOSITORY/git/commits/$merged" --jq .tree.sha)
  if [[ $tip != $(git -C judged rev-parse 'HEAD^{tree}') ]]; then
    echo "::error::$merged is not the merge that was judged, as $BASE moved on in the same moment. Look at it: git show $merged"
    return 1
  fi
}

# The report as one comment. The pull request is found by its head, never by a number from the artifact: that could name
# another one.
comment() {
  local mark='<!-- shotpress report -->' body=$RUNNER_TEMP/comment.md number id page
  # a number of the forge's; what is in the page is the pull request's
  page=$(gh api "repos/$GITHUB_REPOSITORY/actions/runs/$RUN/artifacts" \
    --jq '[.artifacts[] | select(.name == "report.html") | .id][0] // empty')
  {
    printf '%s\n### What the API will serve after this merge\n\n' "$mark"
    if [[ -n $page ]]; then
      printf '[The same as a page, with pictures](%s/%s/actions/runs/%s/artifacts/%s)\n\n' \
        "$GITHUB_SERVER_URL" "$GITHUB_REPOSITORY" "$RUN" "$page"
    fi
    shotpress report --from "$FILE" --format markdown --limit 60000
  } >"$body"
  number=$(gh api --method GET "repos/$GITHUB_REPOSITORY/pulls" -f state=open -f "head=$OWNER:$BRANCH" \
    --jq '[.[] | select(.head.sha == env.SHA) | .number][0] // empty')
  if [[ -z $number ]]; then
    echo 'no open pull request has this head any more'
    return
  fi
  id=$(MARK=$mark gh api --paginate "repos/$GITHUB_REPOSITORY/issues/$number/comments" --jq '
    .[] | select(.user.login == "github-actions[bot]" and (.body | startswith(env.MARK))) | .id' | head -n 1)
  if [[ -n $id ]]; then
    gh api --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" -F body=@"$body" --silent
  else
    gh api --method POST "repos/$GITHUB_REPOSITORY/issues/$number/comments" -F body=@"$body" --silent
  fi
}

# A commit needs some time to be published: while the newest one is young, nobody can say what the host should serve.
is_young() {
  local at
  at=$(gh api "repos/$GITHUB_REPOSITORY/commits/$GITHUB_REF_NAME" --jq '.commit.committer.date | fromdateiso8601')
  (($(date +%s) - ${at:-0} < 2700))
}

# a cache may be old for five minutes: only what stays wrong for longer is told
ask() {
  status=0
  shotpress verify "$HTTPS_URL" ${HTTP_URL:+"$HTTP_URL"} ${MAX_AGE:+--max-age "$MAX_AGE"} ${KEY:+--key "$KEY"} \
    --patience 12 --format json >problems.json 2>said.txt || status=$?
  cat said.txt
}

ends_soon='any(.[]; .code == "certificate-ends-soon")'
# shellcheck disable=SC2016 # the backticks are jq's text
told='.[0:50][] | select(.severity == "error" or .code == "certificate-ends-soon")
  | "- **" + .severity + "** `" + (.file // "" | gsub("`"; "")) + "`: " + (.message | gsub("[\r\n<>@]"; " "))'

# one issue while the host breaks the contract
monitor() {
  local number body=$RUNNER_TEMP/issue.md
  if is_young; then
    echo 'the newest commit is less than 45 minutes old, and may still be on its way to the host: the next run asks'
    return
  fi
  shotpress build --content "$CONTENT"
  ask
  # nobody answers: a moment later, perhaps
  if [[ $status = 2 ]]; then
    sleep 300
    ask
  fi
  if [[ $status != 0 ]] && is_young; then
    echo 'a commit came meanwhile: the next run asks'
    return
  fi
  if [[ $status = 0 ]] && jq -e "$ends_soon" problems.json >/dev/null; then status=1; fi
  gh label create shotpress-monitor --description 'The host breaks the contract of the API' --force
  number=$(gh issue list --state open --label shotpress-monitor --json number --jq '.[0].number // empty')
  {
    echo "\`shotpress verify\` found this at $(date -u +'%Y-%m-%d %H:%M') UTC. This issue is closed when it finds nothing any more."
    echo
    if [[ $status = 2 ]]; then
      sed -n 's/^error: /- **error** /p' said.txt | tr '<>@`' '    '
    else
      jq -r "$told" problems.json
    fi
  } >"$body"
  if [[ $status != 0 && -n $number ]]; then
    gh issue edit "$number" --body-file "$body"
  elif [[ $status != 0 ]]; then
    gh issue create --title 'The host breaks the contract of the API' --label shotpress-monitor --body-file "$body"
  elif [[ -n $number ]]; then
    gh issue close "$number" --comment 'The host keeps the contract again.'
  fi
}

# the snapshot, for a site that has no package.json; what a cache restored is not believed
build() {
  shotpress build --distrust --content "$CONTENT"
}

install
"$1"
